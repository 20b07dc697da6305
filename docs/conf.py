# SPDX-License-Identifier: Apache-2.0
# How Sphinx builds the documentation; `make docs` calls it with the built package on PYTHONPATH.

import re
import sys
from pathlib import Path

import furo

import pointsman

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_extensions"))

project = "pointsman"
author = copyright = "the pointsman developers"
version = release = pointsman.__version__

extensions = [
    "breathe",
    "myst_parser",
    "sphinx.ext.autodoc",
    "cpp_headers",
    "python_names",
    "tree_links",
]
exclude_patterns = ["_extensions"]

myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
add_module_names = False

breathe_projects = {"pointsman": str(HERE.parent / "build/doxygen/xml")}
breathe_default_project = "pointsman"

html_theme = "furo"
html_title = f"pointsman {version}"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["pointsman.css"]

# Debian 12's furo uses its dark colours only after a click. As options they also follow the system.
styles = Path(furo.__file__).parent / "theme/furo/static/styles/furo.css"
(dark, *_) = re.findall(r'body\[data-theme="?dark"?\]\s*{\s*(--[^}]*)}', styles.read_text("utf-8"))
html_theme_options = {"dark_css_variables": dict(re.findall(r"--([\w-]+):\s*([^;]+)", dark))}
