// SPDX-License-Identifier: Apache-2.0
// Any names of devices, files of drivers and values of environment variables.
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/executor/executor_switch.hpp"
#include "pointsman/resource/opencl/detail/device_label.hpp"
#include "pointsman/resource/opencl/detail/vendor_files.hpp"
#include "target.hpp"

namespace {

using namespace pointsman::opencl::detail;
using pointsman::fuzz::check;

/// The label begins with the name, and equal names have different labels.
void check_labels(const std::vector<named_device>& devices) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        labels.push_back(label_in(devices, i));
        check(labels[i].starts_with(devices[i].name), "a label begins with the device's name");
        for (std::size_t j = 0; j < i; ++j) {
            check(devices[i].name != devices[j].name || labels[i] != labels[j],
                  "devices of one name have different labels");
        }
    }
}

void check_switch(std::string_view name, const std::string& value) {
    const std::string variable = pointsman::executor_switch_name(name);
    check(variable.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == variable.npos,
          "the name of a variable is one");
    setenv(variable.c_str(), value.c_str(), 1);
    try {
        static_cast<void>(pointsman::is_executor_switched_on(name));
    } catch (const pointsman::invalid_option& refused) {
        check(std::string_view{refused.what()}.find(value) != std::string_view::npos,
              "the error names the value");
    }
    unsetenv(variable.c_str());
}

/// A file in a folder of its own, deleted when the process ends.
struct temporary_file {
    temporary_file() {
        std::string name = (std::filesystem::temp_directory_path() / "fuzz-XXXXXX").string();
        check(mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
        folder = name;
        path = folder / "any.icd";
    }
    ~temporary_file() { std::filesystem::remove_all(folder); }

    std::filesystem::path folder;
    std::filesystem::path path;
};

void check_first_line(std::string_view content) {
    static const temporary_file file;
    std::ofstream{file.path, std::ios::binary} << content;
    const std::string path = file.path.string();
    check(first_line(path) == content.substr(0, std::min(content.find('\n'), longest_line)),
          "the first line of a file");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest = pointsman::fuzz::text_of(data, size);
    const std::string name{pointsman::fuzz::take_text(rest)};
    const std::string value{pointsman::fuzz::take_text(rest)};
    check_switch(name, value);
    check_first_line(rest);
    std::vector<named_device> devices;
    while (!rest.empty() && devices.size() < 16) {
        const auto bus = static_cast<unsigned char>(rest[0]);
        rest.remove_prefix(1);
        devices.push_back(
            {std::string{pointsman::fuzz::take_text(rest)},
             bus % 4 == 0 ? std::nullopt : std::optional<pci_address>{{0, bus, 0xffffffffU, bus}}});
    }
    check_labels(devices);
    return 0;
}
