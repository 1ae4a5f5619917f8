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
            expectation: "the name of a command, the beginning of such names with a *, or *",
            taken: ["push", "*", "channel-*", "osd2", "a*"],
            refused: ["", "Push", "**", "*a", "-a", "a b", "abcdefghijklmnopqrstuvwxyzabcdefg"]),
        // Where a token is sent to, only https and this machine will do.
        FormatSamples(
            expectation: "\"\", or a URL like https://venue.example/v1/boxes/{box}/order without user and fragment",
            taken: [
                "", "https://venue.example/v1/boxes/{box}/order", "http://127.0.0.1:8090/x", "https://[2001:db8::1]",
            ],
            refused: [
                "venue.example", "ftp://venue.example/", "https://", "https://user@venue.example/", "https://a/#b",
                "https://a:0/", "https://a:65536/", "https://a b/",
            ]),
        FormatSamples(
            expectation: "\"\", or a URL like https://venue.example/v1/boxes/{box}/reports without user and fragment",
            taken: ["", "https://venue.example/v1/boxes/{box}/reports", "http://127.0.0.1:8090/x"],
            refused: ["venue.example", "ftp://venue.example/", "https://user@venue.example/", "https://a/#b"]),
        FormatSamples(
            expectation: "\"\", or up to 512 characters of A-Z a-z 0-9 - . _ ~ + / =", taken: ["", "abc-._~+/=", "0"],
            refused: ["a b", "\u{e9}", "a\"b", String(repeating: "x", count: 513)]),
        FormatSamples(
            expectation: "\"\", or certificates in PEM of up to 65536 characters",
            taken: ["", "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"],
            refused: ["MA==", "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN CERTIFICATE-----\u{e9}"]),
        FormatSamples(
            expectation: "\"\", or sha256// and 44 characters of base64",
            taken: ["", "sha256//jmLk2eqYkDDCJC3NR9k8ONzHqF3Tr6kYdvTRbnTAw8M="],
            refused: ["sha256//", "jmLk2eqYkDDCJC3NR9k8ONzHqF3Tr6kYdvTRbnTAw8M=", "sha256//jmLk2eqY"]),
        FormatSamples(
            expectation: "an address with the length of its network's prefix like 192.0.2.10/24",
            taken: ["192.0.2.10/24", "2001:db8::10/64"],
            refused: ["", "192.0.2.10", "192.0.2.10/0", "box.example/24", "192.0.2.10/24 "]),
        FormatSamples(
            expectation: "a name like ntp.venue.example, or a numeric address",
            taken: ["ntp.venue.example", "192.0.2.1", "2001:db8::1", "ntp"],
            refused: ["", "a b", "a/b", "a_b", "é.example"]),
        FormatSamples(
            expectation: "a name like radius.venue.example, or \"\"", taken: ["", "radius.venue.example"],
            refused: ["a b", "a/b", "a_b"]),
        FormatSamples(
            expectation: "the name of an interface (1...15 letters, digits, '.', '_' and '-'), or \"\"",
            taken: ["", "eth0", "enp1s0f0.20", "abcdefghijklmno"],
            refused: ["a/b", "-a", "..", "abcdefghijklmnop", "\u{e9}"]),
        FormatSamples(
            expectation: "a name of 1...32 octets, or \"\"", taken: ["", "Venue", "a \"b\"\n", "\u{e9}"],
            refused: [String(repeating: "a", count: 33)]),
        FormatSamples(
            expectation: "8...63 characters of ASCII, or 64 hexadecimal digits, or \"\"",
            taken: ["", "12345678", "a \"#}~\\b c", String(repeating: "0f", count: 32)],
            refused: ["1234567", "1234567\u{e9}", "1234567\t", String(repeating: "g", count: 64)]),
        FormatSamples(
            expectation: "a country like DE (ISO 3166-1), or \"\"", taken: ["", "DE", "US"],
            refused: ["de", "D", "DEU", "D1"]),
        FormatSamples(
            expectation: "up to 8 certificates in PEM, or \"\"",
            taken: ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"],
            refused: ["AAAA", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"]),
        FormatSamples(
            expectation: "a private key in PEM, or \"\"",
            taken: ["", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
            refused: ["AAAA", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]),
        FormatSamples(
            expectation: "the numeric address of a host, or \"\"", taken: ["", "192.0.2.1", "2001:db8::1"],
            refused: ["collector.example", "192.0.2.256", "1.2.3"]),
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
