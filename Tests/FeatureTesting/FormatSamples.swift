// SPDX-License-Identifier: Apache-2.0
import Shapes

/// Texts that a format of the settings takes, and texts that it refuses. The JSON Schema of the format refuses those too.
public struct FormatSamples: Sendable {
    /// `TextFormat.expectation` of the format.
    let expectation: String
    let taken: [String]
    let refused: [String]

    private static let all = [
        FormatSamples(
            expectation: "a numeric IPv4 or IPv6 address", taken: ["192.0.2.1", "2001:db8::1", "239.255.1.2"],
            refused: ["", "tv.example", "192.0.2.256", "1.2.3", "2001:db8::g"]),
        FormatSamples(
            expectation: "an absolute path or \"\"", taken: ["", "/", "/run/touchline/a b.sock", "/\u{e9}"],
            refused: ["run/x", " /run", "."]),
        FormatSamples(
            expectation: "an absolute path that ends with .wav and has no '..', or \"\"",
            taken: ["", "/tmp/a.wav", "/..a/b...wav"], refused: ["/tmp/a.mp3", "a.wav", "/tmp/../etc/a.wav", "/.."]),
        FormatSamples(
            expectation: "the name of a network interface (1...15 characters, no '/') or \"\"",
            taken: ["", "lo", "eth0.100", "abcdefghijklmno"], refused: ["a/b", "abcdefghijklmnop", "et h", "\u{e9}"]),
        FormatSamples(
            expectation: "six octets like 00:1b:2c:3d:4e:5f", taken: ["00:1b:2c:3d:4e:5f", "AA-bb-00-11-22-33"],
            refused: ["", "00:1b:2c:3d:4e", "00:1b:2c:3d:4e:5g", "001b2c3d4e5f"]),
        FormatSamples(
            expectation: "the name of a time zone like Europe/Berlin or \"\"",
            taken: ["", "UTC", "Europe/Berlin", "Etc/GMT+5", "America/Argentina/Salta"],
            refused: ["/etc/x", "a//b", "a b", "a/b/c/d/e"]),
        FormatSamples(
            expectation: "the name of a connector like HDMI-A-1 or \"\"", taken: ["", "HDMI-A-1", "DP-12", "eDP-1"],
            refused: ["HDMI-A", "HDMI-A-0", "-1", "1-1", "HDMI-A-1000"]),
        FormatSamples(
            expectation: "a colour like #0052a5", taken: ["#0052a5", "#FFFFFF", "#000000"],
            refused: ["", "0052a5", "#0052a", "#0052ag", "blue"]),
        FormatSamples(
            expectation: "an address of a host", taken: ["192.0.2.1", "2001:db8::1", "127.0.0.1"],
            refused: ["", "box.example", "192.0.2.256", "1.2.3"]),
        FormatSamples(
            expectation: "a URL like ws://192.0.2.1:7681/cii",
            taken: ["ws://192.0.2.1:7681/cii", "ws://tv.example", "ws://[2001:db8::1]:80/a?b=c"],
            refused: ["", "wss://192.0.2.1/cii", "http://192.0.2.1/", "192.0.2.1:7681", "ws://tv /cii", "ws://"]),
        FormatSamples(
            expectation: "a URL like udp://192.0.2.1:6677", taken: ["udp://192.0.2.1:6677", "udp://[2001:db8::1]:1"],
            refused: ["", "udp://", "192.0.2.1:6677", "tcp://192.0.2.1:6677", "udp://tv :1"]),
        FormatSamples(
            expectation: "a mode like 1920x1080@50, 1920x1080 or @59.94, or preferred, or \"\"",
            taken: ["", "preferred", "1920x1080", "1920x1080@50", "@59.94"],
            refused: ["1920", "1920x1080@", "x1080", "50", "01x10"]),
        FormatSamples(
            expectation: "a time like 2026-11-21T01:02:03Z",
            taken: ["2026-11-21T01:02:03Z", "2026-11-21T01:02:03.456+01:00", "1970-01-01T00:00:00Z"],
            refused: ["", "soon", "2026-11-21", "2026-11-21 01:02:03Z", "2026-11-21T01:02:03"]),
        FormatSamples(
            expectation: "an Ed25519 key like MCowBQYDK2VwAyEA…=, as openssl pkey -pubout writes it",
            taken: ["MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="],
            refused: ["", "MCowBQYDK2VwAyEA", "MCowBQYDK2VuAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="]),
        FormatSamples(
            expectation: "a text of 0...32768 characters, line feeds among them", taken: [""],
            refused: ["a\u{7}b", "a\rb"]),
        FormatSamples(
            expectation: "a numeric address of the box, or the name of a network interface (1...15 characters, no '/')",
            taken: ["192.0.2.1", "0.0.0.0", "::", "2001:db8::1", "eth0", "abcdefghijklmno"],
            refused: ["", "a/b", "eth 0", "\u{e9}"]),
        FormatSamples(
            expectation: "a host name in lower case like box.example", taken: ["box", "box.example", "a-1.b"],
            refused: ["", "Box", "-box", "box.", "b_x", "box:80"]),
        FormatSamples(
            expectation: "all, box, group:NAME or tag:NAME", taken: ["all", "box", "group:bar", "tag:a b:c"],
            refused: ["", "group", "group:", "tags:vip", "ALL"]),
    ]

    /// nil if nobody has written samples of this format.
    static func samples(of format: TextFormat) -> FormatSamples? {
        all.first { $0.expectation == format.expectation }
    }
}
