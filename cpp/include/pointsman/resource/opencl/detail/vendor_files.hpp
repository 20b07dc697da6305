// SPDX-License-Identifier: Apache-2.0
// Finds installed OpenCL drivers that do not load, which loaders skip silently.
#pragma once

#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pointsman::opencl::detail {

// These functions use POSIX: including <filesystem> and <fstream> takes 0.3 s of every compilation.

/// The folder of `.icd` files, or the single `.icd` file, in which the loader finds its drivers. Searched
/// in the order of ocl-icd; Khronos's loader supports only the first and the last location.
[[nodiscard]] inline std::string vendor_path() {
    for (const char* variable : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"}) {
        if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') {
            return value;
        }
    }
    return "/etc/OpenCL/vendors";
}

/// The `.icd` files of `where`, in the order of their names; none if it cannot be read.
[[nodiscard]] inline std::vector<std::string> vendor_files(const std::string& where) {
    using folder = std::unique_ptr<DIR, decltype([](DIR* opened) { closedir(opened); })>;
    std::vector<std::string> files;
    if (const folder opened{opendir(where.c_str())}) {
        while (const dirent* const entry = readdir(opened.get())) {
            files.push_back(where + "/" + entry->d_name);
        }
    } else if (access(where.c_str(), R_OK) == 0) {
        files.push_back(where);
    }
    std::erase_if(files, [](const std::string& file) {
        return !file.ends_with(".icd") || file.ends_with("/.icd");
    });
    std::sort(files.begin(), files.end());
    return files;
}

inline constexpr std::size_t longest_line = 4096;  // of a file that names a driver

/// The first line of a file, cut after `longest_line` bytes; empty if it cannot be read.
[[nodiscard]] inline std::string first_line(const std::string& file) {
    using stream =
        std::unique_ptr<std::FILE, decltype([](std::FILE* opened) { std::fclose(opened); })>;
    std::string line;
    if (const stream text{std::fopen(file.c_str(), "r")}) {
        for (int next = std::fgetc(text.get());
             next != EOF && next != '\n' && line.size() < longest_line;
             next = std::fgetc(text.get())) {
            line.push_back(static_cast<char>(next));
        }
    }
    return line;
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
[[nodiscard]] inline std::vector<std::string> broken_vendor_files(const std::string& where) {
    std::vector<std::string> warnings;
    for (const std::string& file : vendor_files(where)) {
        const std::string library = first_line(file);
        const auto reason = library.empty() ? std::optional<std::string>{"it names no library"}
                                            : reason_not_to_load(library);
        if (reason) {
            warnings.push_back("the OpenCL driver of " + file + " is broken (" + *reason +
                               "): install it again, or remove that file");
        }
    }
    return warnings;
}

}  // namespace pointsman::opencl::detail
