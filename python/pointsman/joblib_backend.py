# SPDX-License-Identifier: Apache-2.0
# A parallel backend of joblib that runs on a policy.
"""Runs joblib on the resources of a policy.

>>> import joblib
>>> from pointsman import joblib_backend
>>> joblib_backend.register(pm.DynamicLoad([pm.Arena(2)]))
>>> with joblib.parallel_backend("pointsman"):
...     joblib.Parallel()(joblib.delayed(pow)(2, i) for i in range(5))
[1, 2, 4, 8, 16]

Needs joblib, which pointsman itself does not require.
"""

from pointsman._joblib import register

__all__ = ["register"]
