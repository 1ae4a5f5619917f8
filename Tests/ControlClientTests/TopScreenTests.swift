// SPDX-License-Identifier: Apache-2.0
import JSON
import Terminal
import Testing
import Time

@testable import ControlClient

struct TopScreenTests {
    static func snapshot(at seconds: Int64, octets: Int64, session: Int64 = 3, name: JSONValue = "Arena") -> TopSnapshot
    {
        TopSnapshot(
            time: Monotonic(nanoseconds: seconds * 1_000_000_000),
            status: [
                "localTime": .string("2026-11-21T12:00:0\(seconds % 10)+01:00"),
                "boxName": "Ceiling 7", "boxId": "b", "version": "0.3.0", "output": "headless 1280x720",
                "uptimeMs": 3_723_000, "channel": name, "playerState": "play", "isPaused": false, "volume": 60,
                "isMuted": false, "session": .integer(session),
            ],
            position: ["offsetMs": 20_040, "availableMs": 30_000],
            streams: [
                "streams": [
                    ["pid": 256, "codec": "h264", "language": .null, "isPlayed": true],
                    ["pid": 257, "codec": "aac", "language": "deu", "isPlayed": true],
                    ["pid": 258, "codec": "aac", "language": "fra", "isPlayed": false],
                ]
            ],
            stats: [
                "stats": [
                    "announcementsReceived": 12,
                    "reception": [
                        "octets": .integer(octets), "datagrams": .integer(octets / 1_316), "lostPackets": 2,
                        "tsDiscontinuities": 1, "clockJitterUs": 310,
                    ],
                    "playback": ["decodeLoad": 125], "stage": ["picturesPresented": .integer(seconds * 25)],
                    "sound": ["peakCentidecibels": -2_310, "underruns": 0], "text": "no counter",
                ]
            ])
    }

    static func event(_ sequence: Int64, payload: JSONValue = ["channelState": "play"]) -> JSONValue {
        [
            "sequence": .integer(sequence), "time": "2026-11-21T01:02:03.456Z", "type": "video.channelState",
            "payload": payload,
        ]
    }

    /// What the box says of its statistics: units are shown, and what is no total has no rate.
    @Test func statisticsAreDescribed() {
        func look(at seconds: Int64) -> TopSnapshot {
            TopSnapshot(
                time: Monotonic(nanoseconds: seconds * 1_000_000_000), status: [:], position: .null, streams: .null,
                stats: [
                    "stats": ["reception": ["lostPackets": .integer(seconds), "clockJitterUs": .integer(seconds)]]
                ],
                description: [
                    "stats": [
                        "reception": [
                            "lostPackets": ["kind": "counter", "unit": "packets", "help": "Lost."],
                            "clockJitterUs": ["kind": "gauge", "unit": "us", "help": "Jitter."],
                        ]
                    ]
                ])
        }
        var screen = TopScreen()
        screen.looked(look(at: 10))
        screen.looked(look(at: 12))
        let lines = screen.lines(columns: 80, rows: 24)
        #expect(lines[7].split(separator: " ") == ["reception.lostPackets,", "packets", "12", "1.0"])
        #expect(lines[8].split(separator: " ") == ["reception.clockJitterUs,", "us", "12", "-"])
    }

    @Test func aWholeScreen() {
        var screen = TopScreen()
        screen.looked(Self.snapshot(at: 10, octets: 1_316_000))
        screen.looked(Self.snapshot(at: 12, octets: 2_632_000))
        for sequence in 1...30 as ClosedRange<Int64> { screen.happened(Self.event(sequence)) }
        let lines = screen.lines(columns: 80, rows: 24)
        #expect(lines.count == 24)
        #expect(
            Array(lines.prefix(10)) == [
                "12:00:02  Ceiling 7  up 1:02:03  version 0.3.0  headless 1280x720",
                "Arena  play  20.0 s behind live of 30.0 s  volume 60",
                "256 h264  257 aac deu",
                "network   5264.0 kbit/s  500.0 datagrams/s  lost 2  discontinuities 1  jitter 3…",
                "pictures  25.0/s  late -  decoder 12 %  sound -23.1 dB  underruns 0",
                "",
                "counter (by rate)                                         value     per second",
                "reception.octets                                        2632000       658000.0",
                "reception.datagrams                                        2000          500.0",
                "stage.picturesPresented                                     300           25.0",
            ])
        #expect(lines[22] == "01:02:03 30 video.channelState channelState=play")
        #expect(lines[23] == "q quit  space pause  s sort by name  up down scroll")
        for line in lines { #expect(TerminalText.columns(line) <= 80) }
    }

    @Test func ratesNeedTwoLooksAtOneSession() {
        var screen = TopScreen()
        #expect(screen.rate("reception.octets") == nil)
        screen.looked(Self.snapshot(at: 1, octets: 100))
        #expect(screen.rate("reception.octets") == nil)
        screen.looked(Self.snapshot(at: 1, octets: 200))
        #expect(screen.rate("reception.octets") == nil, "no time has passed")
        screen.looked(Self.snapshot(at: 2, octets: 700))
        #expect(screen.rate("reception.octets") == 500)
        screen.looked(Self.snapshot(at: 3, octets: 600))
        #expect(screen.rate("reception.octets") == nil, "it went back")
        screen.looked(Self.snapshot(at: 4, octets: 900, session: 4))
        #expect(screen.rate("reception.octets") == nil, "another session")
        #expect(screen.rate("nothing") == nil)
    }

    @Test func keysAreTaken() {
        #expect(
            TopScreen.keys(of: Array("s jk\u{1b}[A\u{1b}[1;5B\u{1b}OA\u{1b}[Hx\u{1b}".utf8) + [0xff, 3])
                == [.sort, .pause, .down, .up, .up, .down, .up, .top, .quit])
        #expect(TopScreen.keys(of: Array("\u{1b}[".utf8)) == [] && TopScreen.keys(of: []) == [])
        var screen = TopScreen()
        screen.looked(Self.snapshot(at: 1, octets: 0))
        screen.looked(Self.snapshot(at: 2, octets: 9))
        #expect(screen.counters.first?.name == "stage.picturesPresented")
        let goesOn = screen.pressed(.sort)
        #expect(goesOn)
        #expect(screen.counters.first?.name == "playback.decodeLoad" && screen.order == .name)
        for _ in 0..<50 { _ = screen.pressed(.down) }
        #expect(screen.firstCounter == 8)
        _ = screen.pressed(.up)
        #expect(screen.firstCounter == 7)
        _ = screen.pressed(.top)
        #expect(screen.firstCounter == 0)
        let ends = !screen.pressed(.quit)
        #expect(ends)
    }

    @Test func pausedNothingMoves() {
        var screen = TopScreen()
        screen.looked(Self.snapshot(at: 1, octets: 0))
        _ = screen.pressed(.pause)
        screen.looked(Self.snapshot(at: 2, octets: 9))
        screen.happened(Self.event(1))
        #expect(screen.last?.time == Monotonic(nanoseconds: 1_000_000_000) && screen.events == [])
        #expect(
            screen.lines(columns: 80, rows: 24).last == "[paused] q quit  space go on  s sort by name  up down scroll")
        _ = screen.pressed(.pause)
        screen.looked(Self.snapshot(at: 3, octets: 9))
        #expect(screen.last?.clock == "12:00:03")
    }

    /// Whatever a box says and however small the terminal is.
    @Test func fitsEveryTerminal() {
        var screen = TopScreen()
        let name = JSONValue.string("\u{1b}[2J\u{202e}" + String(repeating: "試", count: 100))
        for rows in [0, 1, 2, 3, 7, 10, 24, 60] {
            for columns in [1, 2, 10, 79, 80, 200] {
                for line in screen.lines(columns: columns, rows: rows) {
                    #expect(TerminalText.columns(line) <= columns)
                }
                #expect(screen.lines(columns: columns, rows: rows).count <= rows)
            }
            screen.looked(Self.snapshot(at: Int64(rows), octets: .max, name: name))
            screen.happened(Self.event(1, payload: [name, name]))
            screen.happened(["time": name, "type": 7])
            screen.looked(
                TopSnapshot(
                    time: Monotonic(nanoseconds: .max), status: .null, position: [], streams: 7,
                    stats: ["stats": ["a": .integer(.min), "b": 1.5]]))
        }
        screen.failed("gone\u{1b}[2J")
        #expect(screen.lines(columns: 80, rows: 24).last == "! gone\u{fffd}[2J")
        let shown = screen.lines(columns: 300, rows: 60).joined().unicodeScalars.map(\.properties.generalCategory)
        #expect(!shown.contains(.control) && !shown.contains(.format))
    }

    @Test func linesForADumbTerminal() {
        var screen = TopScreen()
        #expect(screen.plainLine == "")
        screen.looked(Self.snapshot(at: 10, octets: 1_316_000))
        screen.looked(Self.snapshot(at: 12, octets: 2_632_000))
        #expect(TopScreen.plainTitle.count <= 80)
        #expect(
            screen.plainLine
                == "12:00:02  Arena             play       20.0    5264.0    25.0        2         1")
        screen.failed("no service")
        #expect(screen.plainLine == "! no service")
    }

    @Test(
        arguments: [
            (0, "0.0"), (12.34, "12.3"), (-2.35, "-2.4"), (-0.04, "0.0"), (999.96, "1000.0"),
            (1e14, "100000000000000.0"),
            (1e16, "-"), (.nan, "-"), (.infinity, "-"),
        ] as [(Double, String)])
    func decimals(value: Double, text: String) { #expect(TopScreen.decimal(value, places: 1) == text) }
}
