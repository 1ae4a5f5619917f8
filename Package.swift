// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackageDescription

/// One row per target: its layer (the folder under Sources, see README), its name and what it may use. A layer may use
/// those above it in this table; the architecture test holds us to it.
struct Row {
    let layer: String
    let name: String
    let uses: [String]
    init(_ layer: String, _ name: String, _ uses: [String] = []) {
        self.layer = layer
        self.name = name
        self.uses = uses
    }
}

let rows: [Row] = [
    Row("Base", "Bytes"),
    Row("Base", "JSON"),
    Row("Base", "Time"),
    Row("Base", "Buffers", ["Time"]),
    Row("Domain", "Venue", ["JSON", "Time"]),
    Row("Domain", "Timelines", ["Time"]),
    Row("Domain", "Scene"),
    Row("Domain", "Settings", ["JSON", "Time", "Venue"]),
    Row("Domain", "Commands", ["JSON", "Venue"]),
    Row("Media", "Media", ["Buffers", "Bytes", "Time"]),
    Row("Wire", "TransportStream", ["Bytes"]),
    Row("Wire", "RTP", ["Bytes"]),
    Row("Wire", "Announcements", ["Bytes", "JSON", "Time", "Venue"]),
    Row("Devices", "System", ["Time", "CSystemShims"]),
    Row("Devices", "Journal", ["System", "Time", "Venue"]),
    Row("Devices", "Network", ["System", "Time", "CNetworkShims"]),
    Row("Devices", "Codecs", ["Media", "CLibAVCodec"]),
    Row("Devices", "Containers", ["Media", "CLibAVFormat"]),
    Row("Devices", "Conversion", ["Media", "Scene", "CLibSWScale"]),
    Row("Devices", "Typesetting", ["Media", "CLibASS"]),
    Row("Devices", "Sound", ["Bytes", "Media", "System"]),
    Row("Devices", "Display", ["Media", "Scene", "Time"]),
    Row("Engines", "LineUp", ["Announcements", "Bytes", "Settings", "Time", "Venue"]),
    Row("Engines", "Reception", ["Buffers", "Bytes", "Media", "Network", "RTP", "System", "Time", "TransportStream", "Venue"]),
    Row("Engines", "Playback", ["Buffers", "Codecs", "Media", "System", "Time", "Timelines", "TransportStream", "Venue"]),
    Row("Engines", "Presentation", ["Buffers", "Conversion", "Display", "Media", "Scene", "System", "Time", "Typesetting"]),
    Row("Engines", "Mixing", ["Buffers", "Codecs", "Media", "Sound", "System", "Time"]),
    Row("Engines", "Control", ["Commands", "JSON", "System", "Time", "Venue"]),
    Row("Engines", "Casting", ["Announcements", "Bytes", "Codecs", "Containers", "Conversion", "JSON", "Media", "RTP", "Scene", "Settings", "Time", "TransportStream", "Typesetting", "Venue"]),
    Row("Products", "Box", ["Buffers", "Codecs", "Commands", "Control", "JSON", "Journal", "LineUp", "Media", "Mixing", "Network", "Playback", "Presentation", "Reception", "Scene", "Settings", "Sound", "System", "Time", "Venue"]),
    Row("Products", "HeadEnd", ["Buffers", "Casting", "Journal", "Network", "System", "Time", "Venue"]),
    Row("Programs", "touchlined", ["Box", "System", "Venue"]),
    Row("Programs", "touchline", ["Commands", "Control", "JSON", "System"]),
    Row("Programs", "touchline-streamer", ["HeadEnd", "System", "Venue"]),
]

/// C libraries of Debian, each imported by exactly one target.
let libraries: [(name: String, pkgConfig: String, package: String)] = [
    ("CLibAVCodec", "libavcodec", "libavcodec-dev"),
    ("CLibAVFormat", "libavformat", "libavformat-dev"),
    ("CLibSWScale", "libswscale", "libswscale-dev"),
    ("CLibASS", "libass", "libass-dev"),
]

let programs = rows.filter { $0.layer == "Programs" }.map(\.name)

func there(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/" + path)
}
let shims = ["CSystemShims", "CNetworkShims"]
let known = Set(rows.filter { there("Sources/\($0.layer)/\($0.name)") }.map(\.name) + libraries.map(\.name).filter { there("Sources/CLibraries/\($0)") } + shims.filter { there("Sources/CLibraries/\($0)") })

var targets: [Target] = rows.filter { known.contains($0.name) }.map { row in
    let dependencies = row.uses.filter(known.contains).map { Target.Dependency(stringLiteral: $0) }
    let path = "Sources/\(row.layer)/\(row.name)"
    return row.layer == "Programs"
        ? .executableTarget(name: row.name, dependencies: dependencies, path: path)
        : .target(name: row.name, dependencies: dependencies, path: path)
}
targets += libraries.filter { known.contains($0.name) }.map {
    .systemLibrary(name: $0.name, path: "Sources/CLibraries/\($0.name)", pkgConfig: $0.pkgConfig, providers: [.apt([$0.package])])
}
targets += shims.filter(known.contains).map { .target(name: $0, path: "Sources/CLibraries/\($0)") }
targets += rows.filter { known.contains($0.name) && there("Tests/\($0.name)Tests") }.map { row in
    let uses = [row.name] + row.uses.filter { known.contains($0) && !shims.contains($0) && !libraries.map(\.name).contains($0) }
    return .testTarget(
        name: "\(row.name)Tests", dependencies: Set(uses + ["TestSupport"].filter { _ in there("Tests/TestSupport") }).sorted().map { Target.Dependency(stringLiteral: $0) },
        path: "Tests/\(row.name)Tests", resources: there("Tests/\(row.name)Tests/Vectors") ? [.copy("Vectors")] : [])
}
if there("Tests/ArchitectureTests") {
    targets.append(.testTarget(name: "ArchitectureTests", path: "Tests/ArchitectureTests"))
}
if there("Tests/Interop") {
    targets.append(.testTarget(name: "InteropTests", dependencies: ["JSON", "TestSupport"], path: "Tests/Interop"))
}
if there("Tests/TestSupport") { targets.append(.target(name: "TestSupport", path: "Tests/TestSupport")) }

let package = Package(name: "touchline", targets: targets, swiftLanguageModes: [.v6])
