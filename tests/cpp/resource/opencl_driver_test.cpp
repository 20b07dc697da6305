// SPDX-License-Identifier: Apache-2.0
// Installed drivers that do not load cause a warning; all others do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "pointsman/resource/opencl/device_list.hpp"

namespace pointsman::test {
namespace {

using opencl::detail::broken_vendor_files;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Has a folder of `.icd` files, deleted after the test.
class OpenclDrivers : public testing::Test {
  protected:
    void SetUp() override {
        std::string path = (std::filesystem::temp_directory_path() / "vendors-XXXXXX").string();
        ASSERT_NE(mkdtemp(path.data()), nullptr);
        folder_ = path;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path install(const std::string& name, const std::string& contents) {
        std::ofstream{folder_ / name} << contents;
        return folder_ / name;
    }

    std::filesystem::path folder_;
};

TEST_F(OpenclDrivers, have_no_warnings_if_none_is_installed) {
    EXPECT_THAT(broken_vendor_files(folder_), IsEmpty());
    EXPECT_THAT(broken_vendor_files(folder_ / "missing"), IsEmpty());
}

TEST_F(OpenclDrivers, that_are_missing_are_named_with_the_reason_and_the_remedy) {
    const auto file = install("gone.icd", "/nowhere/libgone.so\n");
    EXPECT_THAT(broken_vendor_files(folder_),
                ElementsAre(AllOf(HasSubstr(file.string()), HasSubstr("/nowhere/libgone.so"),
                                  HasSubstr("remove that file"))));
    EXPECT_THAT(broken_vendor_files(file), testing::SizeIs(1));
}

TEST_F(OpenclDrivers, are_not_libraries_of_other_kinds) {
    install("empty.icd", "");
    install("other.icd", "libstdc++.so.6\n");
    install("text.icd", install("text.so", "no library").string() + "\n");
    EXPECT_THAT(broken_vendor_files(folder_),
                ElementsAre(HasSubstr("names no library"), HasSubstr("not an OpenCL driver"),
                            HasSubstr("text.so")));
}

TEST_F(OpenclDrivers, are_named_by_a_line_of_limited_length) {
    const auto file = install("long.icd", std::string(100'000, '/'));
    EXPECT_EQ(opencl::detail::first_line(file).size(), 4096U);
}

TEST_F(OpenclDrivers, are_files_with_the_extension_that_loaders_look_for) {
    install("gone.disabled", "/nowhere/libgone.so\n");
    EXPECT_THAT(broken_vendor_files(folder_), IsEmpty());
}

TEST_F(OpenclDrivers, that_list_a_device_have_no_warnings) {
    if (opencl::devices().empty()) {
        GTEST_SKIP() << "no OpenCL device";
    }
    for (const std::filesystem::path file :
         opencl::detail::vendor_files(opencl::detail::vendor_path())) {
        std::filesystem::copy(file, folder_ / file.filename());
    }
    EXPECT_EQ(broken_vendor_files(folder_).size(), opencl::driver_warnings().size());
}

}  // namespace
}  // namespace pointsman::test
