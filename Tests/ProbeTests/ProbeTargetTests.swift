// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Venue

@testable import Probe

@Suite struct ProbeTargetTests {
    @Test(
        arguments: [
            ("/media/film.mp4", .file("/media/film.mp4")), ("http://a/b", .url("http://a/b")),
            ("https://a/b.m3u8", .url("https://a/b.m3u8")),
            ("udp://239.1.1.1:5000", .group(address: "239.1.1.1", port: 5_000)),
            ("udp://@239.1.1.1:5000", .group(address: "239.1.1.1", port: 5_000)),
            ("rtp://[ff3e::1]:5004", .group(address: "ff3e::1", port: 5_004)),
        ] as [(String, ProbeTarget)]) func whatCanBeLookedAt(text: String, target: ProbeTarget) throws
    {
        #expect(try ProbeTarget(text) == target)
    }

    @Test(arguments: [
        "", "film.mp4", "ftp://a/b", "udp://", "udp://239.1.1.1", "udp://239.1.1.1:0", "udp://239.1.1.1:65536",
        "rtp://host:5000", "udp://[ff3e::1:5000", "file:///etc/passwd",
    ]) func whatCannot(text: String) {
        let refusal = thrown(Status.self) { _ = try ProbeTarget(text) }
        #expect(refusal?.errorString.hasPrefix("what is \"\(text)\"; expected ") == true)
    }
}
