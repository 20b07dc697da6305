// SPDX-License-Identifier: Apache-2.0
// How compiler messages are shown to users, in the formats of several drivers.
#include "pointsman/resource/opencl/detail/build_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

using pointsman::opencl::detail::with_source_lines;

constexpr const char* broken_source =
    "#include \"twice.cl\"\n"
    "kernel void f(global int* x) {\n"
    "\tx[0] = wrong;\n"
    "}\n";

constexpr const char* shown =
    "    3 | \tx[0] = wrong;\n"
    "      | \t       ^\n";

TEST(OpenclBuildLog, shows_the_line_below_a_message_of_pocl) {
    const std::string log =
        "error: /root/.cache/pocl/kcache/tempfile_8W.cl:3:9: undeclared\nfailed\n";
    EXPECT_EQ(with_source_lines(log, broken_source),
              "error: /root/.cache/pocl/kcache/tempfile_8W.cl:3:9: undeclared\n" +
                  std::string{shown} + "failed\n");
}

TEST(OpenclBuildLog, shows_the_line_whatever_the_driver_calls_the_program) {
    for (const std::string name :
         {"<kernel>", "<source>", "input.cl", "1", "/tmp/comgr-1/input/CompileSource"}) {
        const std::string message = name + ":3:9: error: undeclared\n";
        EXPECT_EQ(with_source_lines(message, broken_source), message + shown);
    }
}

TEST(OpenclBuildLog, does_not_change_a_message_that_shows_its_line) {
    const std::string log =
        "<kernel>:3:9: error: use of undeclared identifier 'wrong'\n"
        "\tx[0] = wrong;\n"
        "\t       ^\n";
    EXPECT_EQ(with_source_lines(log, broken_source), log);
}

TEST(OpenclBuildLog, shows_no_line_for_files_that_the_program_includes) {
    for (const std::string file : {"/usr/include/a.h", "lib/a.hpp", "./twice.cl"}) {
        const std::string log = file + ":3:9: error: undeclared\n";
        EXPECT_EQ(with_source_lines(log, broken_source), log);
    }
}

TEST(OpenclBuildLog, ignores_numbers_that_are_no_position_in_the_program) {
    for (const std::string log :
         {"", "no place\n", "<kernel>:99:1: error: x\n", "<kernel>:0:0: error: x\n",
          "<kernel>:3: error: x\n", "<kernel>:99999999999999999999:1: error: x\n", "a:b:c\n"}) {
        EXPECT_EQ(with_source_lines(log, broken_source), log);
    }
}

TEST(OpenclBuildLog, keeps_the_caret_below_multibyte_characters) {
    EXPECT_EQ(with_source_lines("<kernel>:1:7: error: x\n", "/*\u00e4*/ y"),
              "<kernel>:1:7: error: x\n    1 | /*\u00e4*/ y\n      |      ^\n");
}

TEST(OpenclBuildLog, shows_no_line_that_is_very_wide) {
    const std::string log = "<kernel>:1:7: error: x\n";
    EXPECT_EQ(with_source_lines(log, std::string(501, 'x')), log);
    EXPECT_NE(with_source_lines(log, std::string(500, 'x')), log);
}

TEST(OpenclBuildLog, shows_a_limited_number_of_lines) {
    std::string log;
    for (int i = 0; i < 1000; ++i) {
        log += "<kernel>:1:1: error: x\n";
    }
    const std::string text = with_source_lines(log, "y");
    EXPECT_EQ(std::count(text.begin(), text.end(), '^'), 100);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1200);
}

}  // namespace
