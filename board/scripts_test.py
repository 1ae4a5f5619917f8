#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What board/lanes.py, board/keys.py and board/spread.py make of what they are given, without running anything."""
import glob, json, os, re, tempfile, types, unittest

import keys, lanes, plot, spread

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(path):
    with open(path) as file:
        return file.read()


class Lanes(unittest.TestCase):
    plan = {"alone": ["/OverloadTests/"], "flushing": ["/StoreTests/"], "quiet": ["/RewindTests/"],
            "heavy": ["/PageTests/", "/QuadTests/"], "busy": ["/DataTests/"]}
    tests = [f"InteropTests.Interop/{suite}Tests/{name}()" for name in ("one", "two", "three")
             for suite in ("Overload", "Page", "Quad", "Data", "Relay", "Rewind", "Store")]

    def named(self, word):
        return [test for test in self.tests if word in test]

    def test_each_test_is_dealt_once(self):
        for count in range(1, 8):
            rounds = lanes.deal(self.tests, count, self.plan, {})
            self.assertEqual(sorted(test for lanes in rounds for lane in lanes for test in lane), sorted(self.tests))
            self.assertLessEqual(max(len(lanes) for lanes in rounds), count)

    def test_heavy_tests_share_a_lane(self):
        shares = lanes.deal(self.tests, 4, self.plan, {})[0]
        heavy = [number for number, share in enumerate(shares) for test in share if "/Page" in test or "/Quad" in test]
        self.assertEqual(set(heavy), {0})

    def test_what_flushes_follows_then_the_quiet_two_at_a_time_then_each_that_is_alone(self):
        rounds = lanes.deal(self.tests, 4, self.plan, {})
        self.assertEqual(sorted(sum(rounds[1], [])), sorted(self.named("/Store")))
        self.assertEqual(len(rounds[2]), 2)
        self.assertEqual(sorted(sum(rounds[2], [])), sorted(self.named("/Rewind")))
        self.assertEqual(rounds[3:], [[[test]] for test in self.named("/Overload")])

    def test_busy_tests_are_spread_over_the_other_lanes(self):
        shares = lanes.deal(self.tests, 4, self.plan, {test: 10 for test in self.tests})[0]
        self.assertEqual([sum("/Data" in test for test in share) for share in shares], [0, 1, 1, 1])

    def test_seconds_are_spread_evenly(self):
        seconds = {test: 3 + 7 * (number % 5) for number, test in enumerate(self.tests)}
        shares = lanes.spread(self.tests, 3, {"heavy": [], "busy": []}, seconds)
        loads = [sum(seconds[test] for test in share) for share in shares]
        self.assertLessEqual(max(loads) - min(loads), max(seconds.values()))

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
        for pattern in plan["alone"] + plan["flushing"] + plan["quiet"] + plan["heavy"] + plan["busy"]:
            for name in filter(None, pattern.split("/")):
                self.assertRegex(text, rf"(struct|enum|func) {name}", pattern)

    def test_suites_that_the_emulator_leaves_out_exist(self):
        text = "".join(read(path) for path in glob.glob(f"{root}/Tests/**/*.swift", recursive=True))
        for names in re.findall(r"--skip '([^']*)'", read(f"{root}/board/inside")):
            for name in names.split("|"):
                self.assertRegex(text, rf"(struct|class|enum) {name}\b")


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
