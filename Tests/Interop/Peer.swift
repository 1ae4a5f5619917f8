// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A program that knows nothing of us.
enum Peer: String {
    case ffmpeg, gstreamer, vlc, multicat, dvblast, ip, curl, chromium, schemathesis, strace, nginx, hostapd
    case openssl, sslscan
    /// Wireshark's, without a window.
    case tshark
    /// libsixel's own decoder.
    case sixel2png
    /// iputils' own.
    case ping
    /// The receiver of files through a serial line.
    case lrzsz
    /// Its standard library alone.
    case python3
    /// A library; `EventInformation` looks for it.
    case libdvbpsi
    /// Python's libraries of these names.
    case websockets
    case prometheus = "prometheus_client"
    /// The server itself.
    case prometheusServer = "prometheus"
    case promtool
    /// BBC's, ported to Python 3 by `board/pydvbcss`.
    case pydvbcss
    case wpaSupplicant = "wpa_supplicant"
    /// systemd's, which is no program for people.
    case networkd = "systemd-networkd"
    /// GNOME's, by Python's gi.
    case gssdp

    /// Says so when it is not, and where peers are required the test runs and fails; but for schemathesis and
    /// prometheus_client, which come from Python's index, and not every machine may ask that.
    var isThere: Bool {
        if Self.directories.contains(where: { isUsable("\($0)/\(program)") }) { return true }
        print("SKIP: \(rawValue) is not installed, or not usable here")
        return Self.areRequired && self != .schemathesis && self != .prometheus
    }

    /// Of the program.
    var path: String { Self.directories.map { "\($0)/\(program)" }.first(where: isUsable) ?? program }

    private var program: String {
        switch self {
        case .gstreamer: "gst-launch-1.0"
        case .vlc: "cvlc"
        case .lrzsz: "rz"
        case .websockets, .prometheus, .pydvbcss, .gssdp: "python3"
        default: rawValue
        }
    }

    private func isUsable(_ path: String) -> Bool {
        guard FileManager.default.isExecutableFile(atPath: path) else { return false }
        return switch self {
        case .websockets, .prometheus: Self.succeeds(path, ["-c", "import \(rawValue)"])
        case .pydvbcss:
            !Self.pydvbcssFolder.isEmpty
                && Self.succeeds(
                    "/usr/bin/env",
                    ["PYTHONPATH=\(Self.pydvbcssFolder)", path, "-B", "-c", "import dvbcss, ws4py, cherrypy"])
        case .gssdp: Self.succeeds(path, ["-c", "import gi; gi.require_version('GSSDP', '1.6')"])
        // The repairing of RTP is a plug-in's.
        case .gstreamer: Self.succeeds("/usr/bin/env", ["gst-inspect-1.0", "--exists", "rtpst2022-1-fecdec"])
        // A container may forbid its programs to trace others.
        case .strace: Self.succeeds(path, ["-qq", "-o", "/dev/null", "true"])
        default: true
        }
    }

    /// `TOUCHLINE_PEERS`, a Python environment for those that no distribution has, and those of `PATH`.
    private static let directories: [String] = {
        let environment = ProcessInfo.processInfo.environment
        return (environment["TOUCHLINE_PEERS"].map { ["\($0)/bin"] } ?? [])
            + (environment["PATH"] ?? "").split(separator: ":").map(String.init) + [
                "/usr/bin", "/usr/sbin", "/usr/lib/systemd",
            ]
    }()

    /// Where pydvbcss is, for `PYTHONPATH`: `TOUCHLINE_PYDVBCSS`, else what `board/pydvbcss` says. Empty if there is none.
    static let pydvbcssFolder: String = {
        if let told = ProcessInfo.processInfo.environment["TOUCHLINE_PYDVBCSS"] { return told }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let (process, output) = (Process(), Pipe())
        process.executableURL = root.appendingPathComponent("board/pydvbcss")
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }  // then the peer is missing, and that is told
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .newlines)
    }()

    private static func succeeds(_ program: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            return false
        }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// What makes a network namespace.
    static var hasNamespaces: Bool {
        if getuid() == 0 { return Peer.ip.isThere }
        print("SKIP: a network namespace needs root")
        return areRequired
    }

    private static var areRequired: Bool { ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] == "1" }

    /// For the table of peers at the end of a test run.
    func log(test: String, checks: Int) throws { PeerLog.add(rawValue, test: test, checks: checks) }
}
