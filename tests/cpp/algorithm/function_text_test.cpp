// SPDX-License-Identifier: Apache-2.0
// The names and definitions of user-defined functions in the text of a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "pointsman/algorithm/opencl/launch.hpp"

namespace pointsman::test {
namespace {

using detail::checked_name;
using detail::program_text;
using testing::EndsWith;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string text_of_twice = "int twice(int x) { return 2 * x; }\n";

TEST(FunctionText, accepts_identifiers_as_names) {
    for (const std::string name : {"f", "_f", "F2", "pointsman_plus"}) {
        EXPECT_EQ(checked_name(name), name);
    }
}

TEST(FunctionText, refuses_other_names_and_shows_them) {
    for (const std::string name : {"", "2f", "ns::f", "f(x); }", "f\n#define v0", "\u00fc", "f "}) {
        EXPECT_THAT([&] { static_cast<void>(checked_name(name)); },
                    ThrowsMessage<invalid_option>(HasSubstr("is '" + name + "': return the name")));
    }
}

TEST(FunctionText, defines_a_function_once) {
    EXPECT_THAT(program_text({text_of_twice, text_of_twice}, "k"),
                EndsWith(";\n" + text_of_twice + "k"));
    const std::string caller = text_of_twice + "int f(int x) { return twice(x); }\n";
    EXPECT_THAT(program_text({caller, text_of_twice}, "k"), EndsWith(";\n" + caller + "k"));
}

TEST(FunctionText, is_not_mistaken_for_the_end_of_another_definition) {
    const std::string other = "u" + text_of_twice;
    EXPECT_THAT(program_text({other, text_of_twice}, "k"),
                EndsWith(";\n" + other + text_of_twice + "k"));
}

}  // namespace
}  // namespace pointsman::test
