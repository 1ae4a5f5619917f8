#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What board/lanes.py, keys.py, record.py and spread.py make of what they are given, without running anything."""
import glob, json, os, re, tempfile, types, unittest

import keys, lanes, plot, record, spread

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(path):
    with open(path) as file:
        return file.read()


class Lanes(unittest.TestCase):
    plan = {"peers": ["^InteropTests[.]"], "alone": ["/OverloadTests/"], "heavy": ["/QuadTests/"],
            "flushing": ["/StoreTests/"], "quiet": ["/RewindTests/"]}
    tests = [f"InteropTests.Interop/{suite}Tests/{name}()" for name in ("one", "two", "three")
             for suite in ("Overload", "Page", "Quad", "Data", "Relay", "Rewind", "Store")]
    units = [f"{target}Tests.{suite}Tests/{name}()" for target in ("Low", "High")
             for suite in ("Buffer", "Buffer/Ring", "Cursor") for name in ("one", "two")] + ["LowTests.alone()"]

    def named(self, word):
        return [test for test in self.tests if word in test]

    def rounds(self, tests, processors=2, count=0):
        return lanes.rounds_of(tests, processors, self.plan, {test: 7.0 for test in self.tests}, count)

    def test_each_test_is_in_one_round(self):
        for processors in range(1, 5):
            rounds = self.rounds(self.tests + self.units, processors)
            self.assertEqual(sorted(test for round in rounds for job in round.jobs for test in job),
                             sorted(self.tests + self.units))
            self.assertGreaterEqual(min(round.most for round in rounds), 1)
        self.assertEqual({round.most for round in self.rounds(self.tests + self.units, 2, 3)}, {3})
        rounds = lanes.rounds_of(self.tests + self.units, 2, self.plan, {}, lanes_with_peers=1)
        self.assertEqual([round.most for round in rounds], [8, 1, 1, 1, 1, 1])

    def test_the_heavy_follow_then_what_flushes_then_the_quiet_then_each_that_is_alone(self):
        rounds = self.rounds(self.tests + self.units)
        self.assertEqual([round.name for round in rounds], ["without peers", "most", "heavy", "flushing", "quiet", "alone"])
        self.assertEqual([[job[0] for job in round.jobs] for round in rounds[2:]],
                         [self.named(name) for name in ("/Quad", "/Store", "/Rewind", "/Overload")])
        self.assertEqual(sorted(test for job in rounds[0].jobs for test in job), sorted(self.units))
        self.assertEqual(rounds[-1].most, 1)
        self.assertLess(rounds[4].room, rounds[1].room)

    def test_short_tests_of_a_suite_share_a_process(self):
        rounds = lanes.rounds_of(self.tests, 2, self.plan, {test: 2.5 for test in self.tests})
        self.assertEqual(sorted(map(len, rounds[0].jobs)), [1, 1, 1, 2, 2, 2])
        self.assertTrue(all(len({lanes.suite(test) for test in job}) == 1 for job in rounds[0].jobs))

    def queue(self, room, **loads):
        jobs = [[name] for name in loads]
        return lanes.Queue(lanes.Round("most", jobs, 9, room), lambda job: len(job[0]), lambda job: loads[job[0]])

    def test_the_longest_that_there_is_room_for_comes_first(self):
        queue = self.queue(1.0, longest=0.7, longer=0.6, long=0.2, a=0.2)
        self.assertEqual([queue.take()[0] for _ in range(2)], ["longest", "long"])
        self.assertIsNone(queue.chosen())  # there is room for neither
        queue.give_back(["longest"])
        self.assertEqual([queue.take()[0] for _ in range(2)], ["longer", "a"])
        self.assertIsNone(queue.take())

    def test_whatever_is_larger_than_the_room_runs_by_itself(self):
        queue = self.queue(1.0, larger=3.0, a=0.1)
        self.assertEqual(queue.take(), ["larger"])
        self.assertIsNone(queue.chosen())
        queue.give_back(["larger"])
        self.assertEqual(queue.take(), ["a"])

    def test_suites_of_a_target_share_a_process_as_long_as_they_are_short(self):
        jobs = lanes.batches(self.units, {test: 1.0 for test in self.units}, 4.0)
        self.assertEqual(sorted(test for job in jobs for test in job), sorted(self.units))
        self.assertEqual({len({test.partition(".")[0] for test in job}) for job in jobs}, {1})
        self.assertLessEqual(max(map(len, jobs)), 4)
        self.assertEqual(len(lanes.batches(self.units, {}, 4.0)), 2)

    def test_a_suite_that_is_too_long_is_taken_apart(self):
        long = {test: 3.0 for test in self.units if test.startswith("LowTests.BufferTests/")}
        jobs = lanes.batches(self.units, long, 4.0)
        self.assertEqual(sorted(test for job in jobs for test in job), sorted(self.units))
        self.assertIn(["LowTests.BufferTests/one()"], jobs)

    def test_a_filter_chooses_just_its_tests(self):
        for chosen in self.units[:2], self.units[:1], self.units[2:4], self.units[-1:], self.units[:6] + self.units[-1:]:
            patterns = lanes.filters(chosen, self.units)[1::2]
            for test in self.units:
                matched = any(re.search(pattern, f"{test}/File.swift:1:1") for pattern in patterns)
                self.assertEqual(matched, test in chosen, (test, patterns))

    def test_growth_is_measured_by_the_median_test(self):
        before = {f"a{index}": 2.0 for index in range(21)}
        self.assertEqual(lanes.pace_of({test: 3.0 for test in before} | {"a0": 90.0, "new": 9.0}, before), 1.5)
        self.assertEqual(lanes.pace_of({"a0": 90.0}, before), 1.0)

    def test_names_of_the_report(self):
        self.assertEqual(lanes.plain("InteropTests.Interop/A/b(c:)"), "InteropTests.Interop.A.b(c:)")
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write('<testsuites><testsuite><testcase classname="M.Interop.A" name="b(c:)" time="1.5"/>'
                       '<testcase classname="M.B" name="c()"><skipped/></testcase></testsuite></testsuites>')
            file.flush()
            self.assertEqual(lanes.measured(file.name), {"M.Interop.A.b(c:)": "1.5", "M.B.c()": None})

    def test_the_plan_names_suites_that_exist(self):
        plan = json.loads(read(f"{root}/board/lanes.json"))
        text = "".join(read(path) for path in glob.glob(f"{root}/Tests/Interop/*.swift"))
        self.assertEqual(plan.pop("peers"), ["^InteropTests[.]"])
        for pattern in sum(plan.values(), []):
            for name in filter(None, pattern.split("/")):
                self.assertTrue(re.search(rf"(struct|enum|func) {name}", text), pattern)

    def test_suites_that_the_emulator_leaves_out_exist(self):
        text = "".join(read(path) for path in glob.glob(f"{root}/Tests/**/*.swift", recursive=True))
        for names in re.findall(r"--skip '([^']*)'", read(f"{root}/board/inside")):
            for name in names.split("|"):
                self.assertTrue(re.search(rf"(struct|class|enum) {name}\b", text), name)


def package(**uses):
    return {"name": "p", "toolsVersion": "6", "targets": [
        {"name": name, "path": f"{'Tests' if name.endswith('Tests') else 'Sources/Base'}/{name}",
         "dependencies": [{"byName": [used, None]} for used in used], "type": "regular"} for name, used in uses.items()]}


class Keys(unittest.TestCase):
    manifest = package(Low=[], Middle=["Low"], High=["Middle"], LowTests=["Low"], MiddleTests=["Middle"], HighTests=["High"])
    files = {f"Sources/Base/{name}/{name}.swift": name for name in ("Low", "Middle", "High")} \
        | {f"Tests/{name}Tests/{name}Tests.swift": name for name in ("Low", "Middle", "High")} \
        | {"Tests/HighTests/GuestTests.swift": "guest"}

    def changed_by(self, path):
        before, after = keys.Inputs(self.files, self.manifest), keys.Inputs(self.files | {path: "new"}, self.manifest)
        return [name for name in before.tests() if before.closure(name) != after.closure(name)]

    def test_a_change_concerns_what_uses_it(self):
        self.assertEqual(self.changed_by("Sources/Base/Low/Low.swift"), ["LowTests", "MiddleTests", "HighTests"])
        self.assertEqual(self.changed_by("Sources/Base/High/More.swift"), ["HighTests"])
        self.assertEqual(self.changed_by("Tests/MiddleTests/MiddleTests.swift"), ["MiddleTests"])
        self.assertEqual(self.changed_by("README.md"), [])

    def test_a_change_of_the_manifest_concerns_its_target(self):
        other = package(Low=[], Middle=["Low"], High=["Low"], LowTests=["Low"], MiddleTests=["Middle"], HighTests=["High"])
        before, after = keys.Inputs(self.files, self.manifest), keys.Inputs(self.files, other)
        self.assertEqual(before.closure("MiddleTests"), after.closure("MiddleTests"))
        self.assertNotEqual(before.closure("HighTests"), after.closure("HighTests"))

    def test_targets_of_a_step(self):
        inputs = keys.Inputs(self.files, self.manifest)
        self.assertEqual(inputs.having("Guest"), ["HighTests"])
        self.assertEqual(inputs.emulated(["Base"]), ["LowTests", "MiddleTests", "HighTests"])
        self.assertEqual(inputs.emulated(["Devices", "High"]), ["HighTests"])

    def test_an_entry_of_the_fuzzer_concerns_what_its_file_imports(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(f"{folder}/Tests/Fuzz")
            for name, text in ("FuzzHigh", "import Middle\n\nfunc fuzzHigh(_ bytes: Bytes) {}\nfunc fuzzMore(_ bytes: Bytes) {}\n"), \
                    ("FuzzLow", "func fuzzLow(_ bytes: Bytes) {}\n"), ("Shared", "import Low\n"):
                with open(f"{folder}/Tests/Fuzz/{name}.swift", "w") as file:
                    file.write(text)
            files = self.files | {f"Tests/Fuzz/{name}.swift": name for name in ("FuzzHigh", "FuzzLow", "Shared")}

            def changed_by(path, seldom=0):
                before, after = ({name: both[seldom] for name, *both in keys.Inputs(one, self.manifest, folder).fuzz_entries()}
                                 for one in (files, files | {path: "new"}))
                return [name for name in before if before[name] != after[name]]

            self.assertEqual(changed_by("Sources/Base/Middle/Middle.swift"), ["High", "More"])
            self.assertEqual(changed_by("Sources/Base/Low/Low.swift"), ["High", "More", "Low"])
            self.assertEqual(changed_by("Sources/Base/High/High.swift"), [])
            self.assertEqual(changed_by("Tests/Fuzz/FuzzLow.swift"), ["Low"])
            self.assertEqual(changed_by("Tests/Fuzz/Shared.swift"), ["High", "More", "Low"])
            # Seldom: of Base only what the entry is about.
            self.assertEqual(changed_by("Sources/Base/Low/Low.swift", seldom=1), ["Low"])
            self.assertEqual(changed_by("Sources/Base/Middle/More.swift", seldom=1), ["More"])
            self.assertEqual(changed_by("Sources/Base/Middle/Middle.swift", seldom=1), [])
            self.assertEqual(changed_by("Tests/Fuzz/FuzzLow.swift", seldom=1), ["Low"])

    def test_what_is_seldom_run_is_not_run_for_what_lies_below_it(self):
        manifest = package(Low=[], Middle=["Low"], High=["Middle"], LowTests=["Low"], HighTests=["High"])
        for target in manifest["targets"]:
            if target["name"] in ("Middle", "High"):
                target["path"] = f"Sources/Wire/{target['name']}"
        files = {"Sources/Base/Low/Low.swift": "low", "Sources/Wire/Middle/Middle.swift": "middle"}

        def is_changed(path, name):
            before, after = keys.Inputs(files, manifest), keys.Inputs(files | {path: "new"}, manifest)
            return before.upper(name) != after.upper(name)

        self.assertTrue(is_changed("Sources/Base/Low/Low.swift", "LowTests"))
        self.assertTrue(is_changed("Sources/Base/Low/Low.swift", "Low"))
        self.assertFalse(is_changed("Sources/Base/Low/Low.swift", "HighTests"))
        self.assertTrue(is_changed("Sources/Wire/Middle/Middle.swift", "HighTests"))
        self.assertTrue(is_changed("Tests/HighTests/HighTests.swift", "HighTests"))

    def test_programs_for_another_processor_concern_what_names_it(self):
        for name in "package", "target Box", "Sources/CLibraries/CSystemShims/shims.c", "Sources/Devices/Sound/Sound.swift", \
                "Sources/Programs/touchlined/main.swift":
            self.assertTrue(keys.of_processor.match(name), name)
        for name in "Sources/Features/Audio/Audio.swift", "Sources/Base/Bytes/WireReader.swift", "Tests/Devices/Sound.swift":
            self.assertFalse(keys.of_processor.match(name), name)

    def test_packages_with_what_they_depend_on(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("\n\n".join(
                f"Package: {name}\nStatus: {status}\nVersion: {version}\nArchitecture: amd64\n{more}"
                for name, status, version, more in (
                    ("player", "install ok installed", "1", "Depends: decoder (>= 2), shell | other-shell"),
                    ("decoder-2", "install ok installed", "2", "Provides: decoder"),
                    ("shell", "install ok installed", "3", ""), ("other-shell", "deinstall ok config-files", "4", ""),
                    ("stranger", "install ok installed", "5", ""))))
            file.flush()
            packages = keys.installed(file.name)
        self.assertEqual([line for _, line in keys.versions(packages, ["player", "absent"])],
                         ["absent", "decoder-2 2 amd64", "player 1 amd64", "shell 3 amd64"])

    def test_modules_of_targets_that_are_gone_are_forgotten(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(f"{folder}/debug/Modules")
            for name in ("Low", "Gone", "touchlinePackageTests"):
                open(f"{folder}/debug/Modules/{name}.swiftmodule", "w").close()
            keys.Inputs(self.files, self.manifest).forget(folder)
            self.assertEqual(sorted(os.listdir(f"{folder}/debug/Modules")),
                             ["Low.swiftmodule", "touchlinePackageTests.swiftmodule"])

    def test_what_tests_read_is_among_the_inputs(self):
        """Of a source that asks for its own place: each literal that names a place of the tree is under one of `beside`
        or its target's `beside_of`, among the vectors, or in Sources, where the closure has it."""
        for path in glob.glob(f"{root}/Tests/**/*.swift", recursive=True):
            if "/Tests/Interop/" in path or "/Tests/ArchitectureTests/" in path:
                continue  # these have the whole folder, or always run
            text = read(path)
            if "#file" not in text:
                continue
            for literal in re.findall(r'"((?:\.\./)*[\w.-]+(?:/[\w.-]+)*)"', text):
                place = re.sub(r"^(\.\./)+", "", literal)
                first = place.split("/")[0]
                if first in ("Sources", "Tests", "Vectors") or "/Vectors" in place:
                    continue
                if os.path.exists(f"{root}/{place}"):
                    target = os.path.relpath(path, f"{root}/Tests").split("/")[0]
                    read_by_it = keys.beside + keys.beside_of.get(target, [])
                    self.assertTrue(any(place == one or place.startswith(one + "/") for one in read_by_it),
                                    f"{path} reads {place}, which keys.py does not count among the inputs")


class Records(unittest.TestCase):
    def test_a_shell_reads_the_seconds_of_a_step(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/times", "w") as file:
                json.dump({"tests": {"A.b()": 0.72, "A.c()": 0.1}, "worked": {"A.b()": 0.31, "A.c()": 0.1}}, file)
            record.write_record(["proven\tfuzz/SAP\t0123", "step\tguest amd64\t120\t200", "step\tall\t900\t1500"],
                                f"{folder}/times", folder)
            self.assertIn('\n  "guest amd64": [120, 200]', read(f"{folder}/seconds.json"))
            self.assertEqual(json.loads(read(f"{folder}/seconds.json")),
                             {"tests": {"A.b()": 0.7}, "worked": {"A.b()": 0.3},
                              "steps": {"guest amd64": [120, 200], "all": [900, 1500]}})
            self.assertEqual(json.loads(read(f"{folder}/proven.json")), {"sources": {"fuzz/SAP": "0123"}})

    def test_without_steps_their_seconds_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            record.write_record(["proven\tfuzz/SAP\t0123"], f"{folder}/none", folder)
            self.assertEqual(os.listdir(folder), ["proven.json"])

    def test_what_is_committed_can_be_read(self):
        self.assertEqual(set(json.loads(read(f"{root}/board/seconds.json"))), {"steps", "tests", "worked"})
        self.assertTrue(all(re.fullmatch("[0-9a-f]{32}", key) for key in json.loads(read(f"{root}/board/proven.json"))["sources"].values()))


class Spreads(unittest.TestCase):
    @staticmethod
    def look(box, second, counter):
        return types.SimpleNamespace(box=box, second=second, counter=counter)

    def test_boxes_are_apart_by_their_counters(self):
        """Box 2 is two to three pictures behind; once it was asked later, and once its number was not read."""
        rows = [[self.look(1, second, int(second * 25)), self.look(2, second + late, number)] for second, late, number
                in ((10, 0, 248), (11, 0.5, 285), (12, 0, None), (13, 0.02, 323))]
        made = spread.Spread(rows, [], "")
        self.assertEqual([round(ms) for _, ms in made.distances()[2]], [80, 100, 100])
        self.assertAlmostEqual(made.counted(0), 100)
        self.assertEqual(made.reported, [])

    def test_boxes_are_apart_by_their_reports(self):
        reports = [(1, {2: None, 3: (4.0, 1.0)}), (2, {2: (-3.0, 1.0), 3: (4.0, 1.0)}), (3, {2: (1.0, 1.0), 3: (2.0, 1.0)})]
        self.assertEqual(spread.Spread([], reports, "").reported, [(2, 7.0), (3, 2.0)])

    def test_the_plot_has_each_thing_in_its_place(self):
        made = plot.Plot(101, 21, start=10, end=20, limit=10)
        made.points([(15, 0), (20, 99)], (1, 2, 3))
        drawn = [index for index in range(101 * 21) if made.pixels[index * 3 : index * 3 + 3] == bytes((1, 2, 3))]
        self.assertEqual({index % 101 for index in drawn if index // 101 > 5}, {48, 49, 50, 51, 52})
        self.assertEqual({index // 101 for index in drawn if index % 101 > 60}, {0, 1, 2})


if __name__ == "__main__":
    unittest.main()
