// SPDX-License-Identifier: Apache-2.0
import JSON
import TestSupport
import Testing

@testable import Box

extension BoxTests {
    /// A whole box whose layout is changed by commands, kept, and there after a restart.
    @Suite(.serialized) struct KeptLayoutTests {
        private static let settings: JSONValue = [
            "network": ["interface": "lo"], "announcements": ["groups": []], "log": ["level": "error"],
            "output": ["width": 320, "height": 180],
            "layouts": [
                ["name": "two", "regions": [["name": "main"], ["name": "side", "x": 5_000, "width": 5_000]]]
            ],
        ]

        private func shown(by box: RunningBox) throws -> JSONValue {
            _ = try box.await("status") { $0["boxId"] != nil }
            return try box.answer("regions")
        }

        /// MEET-47: tiles stay where they were moved to.
        @Test func aChangedLayoutIsKept() throws {
            let first = try RunningBox(Self.settings)
            #expect(try shown(by: first)["layout"] == "full")
            _ = try first.answer(
                "region", "main", "--x", "2500", "--y", "100", "--width", "5000", "--height", "5000")
            _ = try first.answer(
                "region", "corner", "--x", "7000", "--y", "0", "--width", "3000", "--height", "3000", "--opacity", "60")
            for words in [["layout-keep"], ["layout-keep", "gallery"]] {
                let refused = try first.answer(words)["errorString"]?.string ?? ""
                #expect(refused.contains("is built-in: expected a name of its own for what is kept"))
            }
            #expect(try first.answer("regions")["isChanged"] == true, "a refusal changes nothing")
            let kept = try first.answer("layout-keep", "bar")
            let revision = try #require(kept["revision"]?.integer)
            #expect(kept["layout"] == "bar")
            let bar = try first.answer("regions")
            #expect(bar["layout"] == "bar" && bar["isChanged"] == false && names(bar) == ["main", "corner"])
            #expect(first.client("layouts", "--names").output == "full\npip\nquad\ngallery\ntwo\nbar\n")
            // Moved once more, and kept under the name that it has.
            #expect(try first.answer("region", "corner", "--x", "6000")["isChanged"] == true)
            #expect(try first.answer("layout-keep")["revision"] == .integer(revision + 1))
            let last = try first.answer("regions")
            #expect(row("corner", of: last)["x"] == 6_000 && last["isChanged"] == false)
            #expect(try first.answer("config", "output.layout")["config"] == "bar")
            // It is a change of the output, which proves itself in time or by somebody's word.
            #expect(try first.answer("config-confirm")["errorString"] == nil)
            #expect(first.end(isKept: true) == .ok)

            let second = try RunningBox(restarting: first)
            let again = try shown(by: second)
            #expect(again["layout"] == "bar" && again["isChanged"] == false)
            #expect(again["document"] == last["document"] && again["document"] != nil)
            #expect(row("corner", of: again)["x"] == 6_000 && row("corner", of: again)["opacity"] == 60)
            #expect(row("main", of: again)["width"] == 5_000 && row("main", of: again)["y"] == 100)
            #expect(second.end() == .ok)
        }
    }
}
