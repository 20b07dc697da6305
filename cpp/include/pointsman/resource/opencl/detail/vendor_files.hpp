// SPDX-License-Identifier: Apache-2.0
// Finds installed OpenCL drivers that do not load, which loaders skip silently.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace pointsman::opencl::detail {

/// The folder of `.icd` files, or the single `.icd` file, in which the loader finds its drivers. Searched
/// in the order of ocl-icd; Khronos's loader supports only the first and the last location.
[[nodiscard]] inline std::filesystem::path vendor_path() {
    for (const char* variable : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"}) {
        if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') {
            return value;
        }
    }
    return "/etc/OpenCL/vendors";
}

/// The `.icd` files of `where`, in the order of their names; none if it cannot be read.
[[nodiscard]] inline std::vector<std::filesystem::path> vendor_files(
    const std::filesystem::path& where) {
    std::error_code ignored;
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_regular_file(where, ignored)) {
        files.push_back(where);
    }
    for (const auto& entry : std::filesystem::directory_iterator{where, ignored}) {
        files.push_back(entry.path());
    }
    std::erase_if(files, [](const auto& file) { return file.extension() != ".icd"; });
    std::sort(files.begin(), files.end());
    return files;
}

/// Why `library` does not load as a driver; empty if it does.
[[nodiscard]] inline std::optional<std::string> reason_not_to_load(const std::string& library) {
    void* opened = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);  // the loader has been here
    if (opened == nullptr) {
        opened = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
    }
    if (opened == nullptr) {
        const char* const reason = dlerror();
        return reason != nullptr ? reason : "it cannot be opened";
    }
    const bool is_driver = dlsym(opened, "clGetExtensionFunctionAddress") != nullptr ||
                           dlsym(opened, "clIcdGetPlatformIDsKHR") != nullptr;
    dlclose(opened);
    return is_driver ? std::nullopt : std::optional<std::string>{"it is not an OpenCL driver"};
}

/// One sentence for each `.icd` file without a working driver. A driver that loads but finds no hardware
/// is not reported.
[[nodiscard]] inline std::vector<std::string> broken_vendor_files(
    const std::filesystem::path& where) {
    std::vector<std::string> warnings;
    for (const auto& file : vendor_files(where)) {
        std::ifstream text{file};
        std::string library;
        std::getline(text, library);
        const auto reason = library.empty() ? std::optional<std::string>{"it names no library"}
                                            : reason_not_to_load(library);
        if (reason) {
            warnings.push_back("the OpenCL driver of " + file.string() + " is broken (" + *reason +
                               "): install it again, or remove that file");
        }
    }
    return warnings;
}

}  // namespace pointsman::opencl::detail
