// SPDX-License-Identifier: Apache-2.0
// snapshot_cell: reading an object while another thread replaces it.
#include "pointsman/policy/detail/snapshot.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using pointsman::detail::make_ref;
using pointsman::detail::ref_counted;
using pointsman::detail::snapshot_cell;

std::atomic<int> alive{0};

struct numbered : ref_counted {
    explicit numbered(int n) : number{n}, check{-n} { ++alive; }
    ~numbered() override {
        check = 0;
        --alive;
    }
    int number;
    int check;
};

struct SnapshotCell : ::testing::Test {
    SnapshotCell() { alive = 0; }
};

TEST_F(SnapshotCell, is_empty_before_the_first_object) {
    snapshot_cell<numbered> cell;
    EXPECT_FALSE(cell.read());
}

TEST_F(SnapshotCell, frees_a_replaced_object_that_is_not_in_use) {
    snapshot_cell<numbered> cell;
    cell.replace(make_ref<numbered>(1));
    cell.replace(make_ref<numbered>(2));
    EXPECT_EQ(alive, 1);
    EXPECT_EQ(cell.read()->number, 2);
}

TEST_F(SnapshotCell, keeps_a_replaced_object_for_its_readers_and_owners) {
    snapshot_cell<numbered> cell;
    cell.replace(make_ref<numbered>(1));
    {
        const auto reader = cell.read();
        auto owner = cell.read().share();
        cell.replace(make_ref<numbered>(2));
        EXPECT_EQ(reader->number, 1);
        EXPECT_EQ(owner->number, 1);
        owner = {};
        cell.replace(make_ref<numbered>(3));
        EXPECT_EQ(reader->number, 1);
    }
    cell.replace(make_ref<numbered>(4));
    EXPECT_EQ(alive, 1);
}

TEST_F(SnapshotCell, frees_everything_when_destroyed) {
    {
        snapshot_cell<numbered> cell;
        cell.replace(make_ref<numbered>(1));
        const auto reader = cell.read();
        cell.replace(make_ref<numbered>(2));
    }
    EXPECT_EQ(alive, 0);
}

TEST_F(SnapshotCell, lets_the_last_reader_free_a_replaced_object) {
    snapshot_cell<numbered> cell;
    cell.replace(make_ref<numbered>(1));
    {
        const auto reader = cell.read();
        {
            const auto other = cell.read();
            cell.replace(make_ref<numbered>(2));
        }
        EXPECT_EQ(alive, 2);
        EXPECT_EQ(reader->number, 1);
    }
    EXPECT_EQ(alive, 1);
}

TEST_F(SnapshotCell, may_be_destroyed_while_its_object_is_read) {
    auto cell = std::make_unique<snapshot_cell<numbered>>();
    cell->replace(make_ref<numbered>(1));
    {
        const auto first = cell->read();
        cell->replace(make_ref<numbered>(2));
        const auto second = cell->read();
        cell.reset();
        EXPECT_EQ(first->check, -1);
        EXPECT_EQ(second->check, -2);
    }
    EXPECT_EQ(alive, 0);
}

TEST_F(SnapshotCell, may_share_an_object_with_another_that_is_destroyed_while_it_is_read) {
    std::vector<std::unique_ptr<snapshot_cell<numbered>>> cells;
    auto object = make_ref<numbered>(1);
    for (int i = 0; i < 3; ++i) {
        cells.push_back(std::make_unique<snapshot_cell<numbered>>());
        cells.back()->replace(pointsman::detail::ref<numbered>{object});
    }
    object = {};
    {
        const auto reader = cells.front()->read();
        cells.clear();
        EXPECT_EQ(reader->check, -1);
    }
    EXPECT_EQ(alive, 0);
}

TEST_F(SnapshotCell, returns_objects_that_another_thread_may_keep_and_drop) {
    auto cell = std::make_unique<snapshot_cell<numbered>>();
    cell->replace(make_ref<numbered>(1));
    std::vector<pointsman::detail::kept_snapshot<numbered>> all;
    for (int i = 0; i < 20; ++i) {  // more than a thread's slots
        all.push_back(cell->read().keep());
    }
    all.push_back(all.front());
    cell.reset();
    std::jthread{[dropped = std::move(all)]() mutable {
        while (!dropped.empty()) {
            EXPECT_EQ(dropped.front().get()->check, -1);
            dropped.erase(dropped.begin());
        }
    }}.join();
    EXPECT_EQ(alive, 0);
}

TEST_F(SnapshotCell, may_be_read_by_one_thread_in_scopes_that_end_in_any_order) {
    using reading = pointsman::detail::snapshot<numbered>;
    snapshot_cell<numbered> cell;
    cell.replace(make_ref<numbered>(1));
    std::vector<std::unique_ptr<reading>> readers;
    for (int n = 1; n <= 12; ++n) {  // more than a thread's slots
        readers.push_back(std::unique_ptr<reading>{new reading(cell.read())});
        cell.replace(make_ref<numbered>(n + 1));
    }
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::minstd_rand random{seed};
    for (int turn = 0; turn < 200; ++turn) {
        auto& reader = readers[random() % readers.size()];
        reader.reset();
        cell.replace(make_ref<numbered>(turn));
        for (const auto& other : readers) {
            ASSERT_TRUE(!other || (*other)->number == -(*other)->check);
        }
        reader.reset(new reading(cell.read()));
    }
    readers.clear();
    cell.replace(make_ref<numbered>(0));
    EXPECT_EQ(alive, 1);
}

TEST_F(SnapshotCell, gives_nested_readers_the_index_of_their_thread) {
    snapshot_cell<numbered> cell;
    cell.replace(make_ref<numbered>(1));
    const auto outer = cell.read();
    for (int depth = 0; depth < 10; ++depth) {
        const auto inner = cell.read();
        EXPECT_EQ(inner.thread(), outer.thread());
    }
}

TEST_F(SnapshotCell, that_was_read_while_empty_still_protects_later_readers) {
    snapshot_cell<numbered> cell;
    using reading = pointsman::detail::snapshot<numbered>;
    std::unique_ptr<reading> nothing{new reading(cell.read())};
    cell.replace(make_ref<numbered>(1));
    const auto reader = cell.read();
    nothing.reset();
    cell.replace(make_ref<numbered>(2));
    EXPECT_EQ(reader->number, -reader->check);
}

void read_deeper(snapshot_cell<numbered>& cell, int depth) {
    const auto reader = cell.read();
    const int number = reader->number;
    cell.replace(make_ref<numbered>(number + 1));
    if (depth > 0) {
        read_deeper(cell, depth - 1);
    }
    EXPECT_EQ(reader->number, number);
}

TEST_F(SnapshotCell, may_be_read_in_more_nested_scopes_than_a_thread_has_slots) {
    snapshot_cell<numbered> cell;
    cell.replace(make_ref<numbered>(1));
    read_deeper(cell, 20);
    cell.replace(make_ref<numbered>(100));
    EXPECT_EQ(alive, 1);
}

TEST_F(SnapshotCell, calls_the_readers_refusal_while_it_is_empty) {
    snapshot_cell<numbered> cell;
    const auto refuse = [] { throw 7; };
    EXPECT_THROW(static_cast<void>(cell.read(refuse)), int);
    cell.replace(make_ref<numbered>(1));
    EXPECT_EQ(cell.read(refuse)->number, 1);
    cell.replace(make_ref<numbered>(2));
    EXPECT_EQ(alive, 1) << "a refused reader does not count as a reader";
}

class SnapshotCellThreads : public ::testing::TestWithParam<int> {};

TEST_P(SnapshotCellThreads, never_see_a_freed_object) {
    alive = 0;
    {
        snapshot_cell<numbered> cell;
        cell.replace(make_ref<numbered>(1));
        std::vector<std::jthread> readers;
        std::atomic<bool> stop{false};
        for (int i = 0; i < GetParam(); ++i) {
            readers.emplace_back([&] {
                while (!stop) {
                    const auto reader = cell.read();
                    ASSERT_EQ(reader->number, -reader->check);
                }
            });
        }
        for (int n = 2; n < 2000; ++n) {
            cell.replace(make_ref<numbered>(n));
        }
        stop = true;
        readers.clear();
        cell.replace(make_ref<numbered>(2000));
        EXPECT_EQ(alive, 1);
    }
    EXPECT_EQ(alive, 0);
}

INSTANTIATE_TEST_SUITE_P(, SnapshotCellThreads, ::testing::Values(1, 2, 7, 16),
                         [](const auto& param) {
                             return std::to_string(param.param) + "_threads";
                         });

}  // namespace
