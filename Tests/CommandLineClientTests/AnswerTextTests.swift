// SPDX-License-Identifier: Apache-2.0
import Commands
import ControlClient
import JSON
import Rendering
import Testing

struct AnswerTextTests {
    func text(_ command: String, _ result: JSONValue, isStyled: Bool = false) throws -> String {
        AnswerText(isStyled: isStyled).text(of: result, as: try catalogue.command(named: command).answer)
    }

    @Test func channelsFitEightyColumns() throws {
        let result: JSONValue = [
            "channels": [
                [
                    "number": 1, "name": "One", "kind": "video", "address": "239.10.0.1", "port": 5004,
                    "bandwidthKbps": 8000, "channelText": "Main camera", "id": "x",
                ],
                [
                    "number": 22, "name": "Ein sehr langer Name eines Senders", "kind": "video",
                    "address": "239.10.0.2",
                    "port": 5004, "bandwidthKbps": 0, "channelText": "試合の様子を全部見せます",
                ],
            ]
        ]
        #expect(
            try text("channels", result) == """
                number  name             kind   address     port  bandwidthKbps  channelText
                1       One              video  239.10.0.1  5004  8000           Main camera
                22      Ein sehr lange…  video  239.10.0.2  5004  0              試合の様子を全…

                """)
        #expect(
            try text("channels", ["channels": []]) == "number  name  kind  address  port  bandwidthKbps  channelText\n")
        #expect(try text("channels", ["channels": []], isStyled: true).hasPrefix("\u{1b}[1mnumber"))
    }

    @Test func recordsAndDictionariesAlign() throws {
        #expect(
            try text("status", ["boxId": "b", "channel": .null, "uptimeMs": 5, "output": ["kind": "null"], "extra": 1])
                == """
                boxId     b
                uptimeMs  5
                channel   -
                output    {"kind":"null"}

                """)
        #expect(try text("stats", ["stats": ["b": 1, "a": ["x": 2.5, "y": [1]]]]) == "b    1\na.x  2.5\na.y  [1]\n")
        #expect(try text("config", ["config": ["a": 1]]) == "{\n  \"a\": 1\n}\n")
        #expect(try text("stop", [:]) == "")
    }

    @Test func eventsAreLines() throws {
        let event: JSONValue = ["sequence": 3, "time": "T", "type": "video.channelState", "payload": ["state": "play"]]
        #expect(try text("events", ["events": [event]]) == "T 3 video.channelState state=play\n")
        let other: JSONValue = [
            "sequence": 4, "time": "T", "type": "x.y",
            "payload": ["b": ["c": 1], "a": "two words", "quote": "\"", "d": .null, "e": true, "f": ""],
        ]
        #expect(
            AnswerText(isStyled: false).event(other)
                == "T 4 x.y a=\"two words\" b={\"c\":1} d=- e=yes f=\"\" quote=\"\\\"\"\n")
        #expect(AnswerText(isStyled: false, eventWidth: 12).event(other) == "T 4 x.y a=\"…\n")
    }

    @Test func whatIsOn() throws {
        let result: JSONValue = [
            "broadcasts": [
                [
                    "number": 7, "channel": "Pitch", "when": "now", "localStart": "2026-11-18T20:26:40+01:00",
                    "durationMs": 5_400_000, "minimumAge": 12, "title": "Anpfiff für Zürich", "text": "Live",
                ],
                [
                    "number": 7, "channel": "Pitch", "when": "next", "localStart": .null, "durationMs": .null,
                    "minimumAge": .null, "title": "試合のあと", "text": "",
                ],
            ]
        ]
        #expect(
            try text("epg", result) == """
                number  channel  when  start  minutes  age  title
                7       Pitch    now   20:26  90       12   Anpfiff für Zürich
                7       Pitch    next  -      -        -    試合のあと

                """)
        let long = AnswerText(isStyled: false, isLong: true).text(
            of: result, as: try catalogue.command(named: "epg").answer)
        #expect(
            long.hasPrefix(
                """
                number      7
                channel     Pitch
                when        now
                localStart  2026-11-18T20:26:40+01:00
                """))
        #expect(long.contains("title       試合のあと\ntext        \n"))
    }

    /// A name that a stranger announced moves no cursor and turns no line around.
    @Test func nothingReachesTheTerminalThatItActsUpon() throws {
        let name: JSONValue = "a\u{1b}[2J\u{9b}b\nc\u{202e}d\u{2028}\u{7f}"
        for shown in [
            try text("channels", ["channels": [["name": name]]]), try text("status", ["boxName": name]),
            try text("stats", ["stats": ["x\u{1b}": name]]),
            try text("events", ["events": [["type": name, "payload": [name]]]]),
            try text("config", ["config": [name]]),
        ] {
            let categories = shown.unicodeScalars.filter { $0 != "\n" }.map(\.properties.generalCategory)
            #expect(!categories.contains(.control) && !categories.contains(.format), "\(shown.debugDescription)")
        }
    }

    @Test func strangeAnswersAreShownAsFarAsTheyGo() throws {
        for command in catalogue.commands {
            for result in [.null, 1, [], ["channels": 1], ["channels": [1, .null]], ["events": [1]]] as [JSONValue] {
                _ = try text(command.name, result)
            }
        }
    }
}
