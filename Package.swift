// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// One row per target: its layer (the folder under Sources, see README), its name and what it may use: System beside
/// it and the layers above it in this table. `Tests/ArchitectureTests` holds us to it.
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

let all: [Row] = [
    Row("Base", "Bytes"),
    Row("Base", "JSON"),
    Row("Base", "Statistics", ["JSON"]),
    Row("Base", "Time", ["Bytes"]),
    Row("Base", "Buffers", ["Time"]),
    Row("Domain", "Venue", ["JSON", "Time"]),
    Row("Domain", "Timelines", ["Time"]),
    Row("Domain", "Scene", ["Time"]),
    Row("Domain", "Programming", ["JSON", "Time"]),
    Row("Domain", "Radio"),
    Row("Domain", "Shapes", ["JSON", "Time"]),
    Row("Domain", "NetworkPlan", ["JSON", "Shapes", "Venue"]),
    Row("Domain", "Settings", ["JSON", "Programming", "Scene", "Shapes", "Time", "Venue"]),
    Row("Domain", "Commands", ["JSON", "Shapes", "Venue"]),
    Row("Domain", "Terminal"),
    Row("Domain", "Diagnosing", ["Shapes", "Venue"]),
    Row("Media", "Media", ["Buffers", "Bytes", "Scene", "Time"]),
    Row("Wire", "TransportStream", ["Bytes", "Time", "Venue"]),
    Row("Wire", "RTP", ["Bytes", "Venue"]),
    Row("Wire", "HTTP"),
    Row("Wire", "EchoMessages", ["Bytes"]),
    Row("Wire", "ControlMessages", ["JSON", "Venue"]),
    Row("Wire", "ErasureCoding", ["Bytes", "Time", "Venue", "CLibISAL"]),
    Row("Wire", "DataMessages", ["Bytes", "Statistics", "Time"]),
    Row("Wire", "Announcements", ["Bytes", "JSON", "Time", "Venue"]),
    Row("Wire", "CompanionScreens", ["Bytes", "JSON", "Time", "Venue"]),
    Row("Wire", "NetworkFiles", ["NetworkPlan", "Venue"]),
    Row("Wire", "SyslogMessages", ["Time"]),
    Row("Wire", "PacketCaptures", ["Bytes", "JSON", "NetworkPlan", "Time", "Venue"]),
    Row("Wire", "NetlinkMessages", ["Bytes", "Radio", "Venue"]),
    Row("Wire", "SignedEnvelopes", ["Bytes", "JSON", "Shapes", "Time"]),
    Row("Wire", "Reports", ["JSON", "Shapes", "Time"]),
    Row("Devices", "System", ["Bytes", "Statistics", "Time", "CSystemShims"]),
    Row("Devices", "Inspection", ["Diagnosing", "System"]),
    Row("Devices", "Journal", ["System", "Time", "Venue"]),
    Row(
        "Devices", "Network",
        ["Buffers", "NetlinkMessages", "PacketCaptures", "System", "Time", "Venue", "CNetworkShims"]),
    Row("Devices", "Codecs", ["Bytes", "Media", "System", "Time", "CLibAVCodec", "CV4L2Shims"]),
    Row("Devices", "Containers", ["Buffers", "Bytes", "Media", "CLibAVFormat"]),
    Row("Devices", "Conversion", ["Media", "Scene", "CLibSWScale"]),
    Row("Devices", "Typesetting", ["Media", "Scene", "CLibASS"]),
    Row("Devices", "Web", ["HTTP", "System", "Time", "CLibWebSockets"]),
    Row("Devices", "Resampling", ["Time", "CLibSWResample"]),
    Row("Devices", "Sound", ["Bytes", "System", "Time", "CLibALSA"]),
    Row(
        "Devices", "Display",
        ["Buffers", "Bytes", "Media", "Scene", "Statistics", "System", "Time", "CGLESShims", "CLibDRM"]),
    Row("Devices", "Compression", ["CLibZ"]),
    Row("Devices", "Signing", ["Bytes", "CLibSodium"]),
    Row("Devices", "Certificates", ["System", "CLibCrypto"]),
    Row("Devices", "Markup", ["CLibExpat"]),
    Row("Devices", "Transfer", ["System", "Time", "CLibCurl"]),
    Row("Devices", "Database", ["CLibSQLite"]),
    Row("Devices", "Wireless", ["Bytes", "NetlinkMessages", "Radio", "System", "Time"]),
    Row("Devices", "ClusterStore", ["System", "Time", "CLibPQ"]),
    Row(
        "Engines", "LineUp",
        ["Announcements", "Bytes", "Compression", "RTP", "Settings", "Shapes", "Statistics", "Time", "Venue"]),
    Row("Engines", "Auditing", ["Commands", "JSON", "System", "Time"]),
    Row(
        "Engines", "Credentials", ["Bytes", "Commands", "JSON", "Shapes", "Signing", "System", "Time", "Venue"]),
    Row("Engines", "Alerting", ["JSON", "Reports", "Shapes", "Time"]),
    Row(
        "Engines", "Collecting",
        ["Buffers", "ClusterStore", "Database", "JSON", "Reports", "Statistics", "System", "Time"]),
    Row("Engines", "DataReception", ["DataMessages", "Time", "Venue"]),
    Row("Engines", "Reporting", ["JSON", "Settings", "Statistics", "Time", "Venue"]),
    Row(
        "Engines", "Enrolling",
        ["Buffers", "Bytes", "JSON", "Reports", "Shapes", "SignedEnvelopes", "Signing", "Time"]),
    Row(
        "Engines", "Forwarding",
        ["Bytes", "Compression", "Reports", "Statistics", "System", "Time", "Transfer", "Venue"]),
    Row(
        "Engines", "Recording",
        [
            "Bytes", "Compression", "ErasureCoding", "JSON", "Media", "RTP", "System", "Time", "TransportStream",
            "Venue",
        ]),
    Row("Engines", "Radios", ["JSON", "Radio", "Time", "Venue"]),
    Row("Engines", "Simulating", ["JSON", "Time"]),
    Row(
        "Engines", "NetworkHelper",
        [
            "JSON", "Network", "NetworkFiles", "NetworkPlan", "PacketCaptures", "Shapes", "System", "Time", "Venue",
        ]),
    Row("Engines", "Capturing", ["JSON", "Network", "PacketCaptures", "System", "Time", "Venue"]),
    Row(
        "Engines", "Provisioning",
        ["Bytes", "Commands", "JSON", "Shapes", "SignedEnvelopes", "Signing", "System", "Time"]),
    Row(
        "Engines", "Discovery",
        [
            "CompanionScreens", "HTTP", "Markup", "Network", "Statistics", "System", "Time", "Transfer", "Venue", "Web",
        ]),
    Row(
        "Engines", "Synchronisation",
        [
            "Buffers", "Bytes", "CompanionScreens", "HTTP", "Network", "Signing", "Statistics", "System", "Time",
            "Timelines", "Venue", "Web",
        ]),
    Row(
        "Engines", "Reception",
        [
            "Buffers", "Bytes", "ErasureCoding", "Media", "Network", "RTP", "Statistics", "System", "Time",
            "Timelines", "TransportStream", "Venue",
        ]),
    Row(
        "Engines", "Playback",
        [
            "Buffers", "Bytes", "Codecs", "Containers", "Media", "Programming", "Scene", "Settings", "Statistics",
            "System", "Time", "Timelines", "TransportStream", "Venue",
        ]),
    Row(
        "Engines", "Presentation",
        [
            "Buffers", "Codecs", "Conversion", "Display", "Media", "Scene", "Statistics", "System", "Time",
            "Timelines", "Typesetting",
        ]),
    Row("Engines", "Mixing", ["Buffers", "Codecs", "Media", "Resampling", "Sound", "Statistics", "System", "Time"]),
    Row(
        "Engines", "Control",
        ["Bytes", "Commands", "ControlMessages", "HTTP", "JSON", "Shapes", "Signing", "System", "Time", "Venue"]),
    Row(
        "Engines", "ControlClient",
        [
            "Bytes", "Commands", "ControlMessages", "Diagnosing", "Inspection", "JSON", "Network", "Shapes",
            "SignedEnvelopes", "Signing", "System", "Terminal", "Time", "Venue",
        ]),
    Row("Engines", "Rendering", ["Commands", "JSON", "Shapes"]),
    Row(
        "Engines", "Hosting",
        [
            "Bytes", "Commands", "JSON", "Journal", "Settings", "Shapes", "Statistics", "System", "Time", "Timelines",
            "Venue",
        ]),
    Row(
        "Engines", "Casting",
        [
            "Announcements", "Bytes", "Codecs", "Containers", "Conversion", "DataMessages", "ErasureCoding", "JSON",
            "Media", "RTP", "Scene", "Settings", "Shapes", "Time", "TransportStream", "Typesetting", "Venue",
        ]),
    Row(
        "Features", "Access",
        [
            "Auditing", "Commands", "Credentials", "Hosting", "Journal", "Presentation", "Shapes", "Signing",
            "Statistics", "System", "Time", "Venue",
        ]),
    Row(
        "Features", "Audio",
        ["Commands", "Hosting", "Journal", "Mixing", "Playback", "Settings", "Shapes", "Time", "Venue"]),
    Row(
        "Features", "Decoders",
        [
            "Codecs", "Commands", "Hosting", "JSON", "Journal", "Media", "Settings", "Shapes", "Statistics", "System",
            "Venue",
        ]),
    Row(
        "Features", "Diagnosis",
        [
            "Commands", "Diagnosing", "Display", "Hosting", "Inspection", "Journal", "LineUp", "Mixing", "Network",
            "Playback", "Presentation", "Radio", "Radios", "Reception", "Reporting", "Settings", "Shapes", "System",
            "Time", "Venue",
        ]),
    Row(
        "Features", "Configuration",
        ["Commands", "Hosting", "JSON", "Journal", "Shapes", "System", "Time", "Venue"]),
    Row(
        "Features", "DataChannels",
        [
            "Bytes", "Commands", "Control", "DataMessages", "DataReception", "Hosting", "JSON", "Journal", "LineUp",
            "Reception", "Settings", "Shapes", "Statistics", "System", "Time", "Venue",
        ]),
    Row(
        "Features", "WiFi",
        [
            "Commands", "Hosting", "Journal", "Radio", "Radios", "Reporting", "Settings", "Shapes", "Statistics",
            "System", "Time",
            "Venue", "Wireless",
        ]),
    Row(
        "Features", "GroupCommands",
        [
            "Commands", "Hosting", "JSON", "Journal", "Network", "Provisioning", "Settings", "Shapes",
            "SignedEnvelopes", "Statistics", "System", "Time", "Venue",
        ]),
    Row(
        "Features", "Probe",
        [
            "Buffers", "Commands", "Containers", "Hosting", "Media", "Network", "RTP", "Settings", "Shapes", "System",
            "Time", "Transfer", "Venue",
        ]),
    Row(
        "Features", "ChannelList",
        [
            "Commands", "Hosting", "LineUp", "Playback", "Presentation", "Shapes", "System", "Time", "Venue",
        ]),
    Row("Features", "Guide", ["Commands", "Hosting", "LineUp", "Playback", "Shapes", "System", "Time", "Venue"]),
    Row(
        "Features", "Identify",
        [
            "Commands", "Hosting", "Presentation", "Scene", "Settings", "Shapes", "Statistics", "System", "Time",
            "Venue",
        ]),
    Row(
        "Features", "TestSignals",
        [
            "Commands", "Display", "Hosting", "Journal", "Mixing", "Presentation", "Scene", "Settings", "Shapes",
            "Statistics", "System", "Time", "Venue",
        ]),
    Row(
        "Features", "Health",
        [
            "Commands", "Hosting", "Journal", "LineUp", "Playback", "Reception", "Reporting", "Settings", "Shapes",
            "System", "Time", "Venue",
        ]),
    Row(
        "Features", "Links",
        ["Commands", "Hosting", "Journal", "Network", "Reception", "Shapes", "System", "Time", "Venue"]),
    Row(
        "Features", "OnScreenDisplay",
        [
            "Commands", "Hosting", "Journal", "LineUp", "Playback", "Presentation", "Settings", "Shapes", "Statistics",
            "System", "Time", "Timelines", "Venue",
        ]),
    Row(
        "Features", "Monitoring",
        [
            "Commands", "Hosting", "JSON", "Journal", "Playback", "Presentation", "Radios", "Reporting", "Settings",
            "Shapes", "Statistics", "System", "Time", "Venue",
        ]),
    Row(
        "Features", "Channels",
        [
            "Commands", "Hosting", "JSON", "Journal", "LineUp", "Media", "Network", "Settings", "Shapes", "Statistics",
            "System", "Time", "Venue",
        ]),
    Row(
        "Features", "Overview",
        [
            "Commands", "Hosting", "LineUp", "Playback", "Reporting", "Settings", "Shapes", "System", "Time",
            "Timelines", "Venue",
        ]),
    Row(
        "Features", "Push",
        [
            "Bytes", "Commands", "Enrolling", "Hosting", "JSON", "Journal", "Provisioning", "Shapes", "SignedEnvelopes",
            "Signing", "Statistics", "System", "Time", "Transfer", "Venue",
        ]),
    Row(
        "Features", "Endpoint",
        [
            "Bytes", "Certificates", "Commands", "Hosting", "JSON", "Journal", "Network", "Shapes", "System", "Time",
            "Venue", "Web",
        ]),
    Row(
        "Features", "NetworkSetup",
        [
            "Commands", "Hosting", "JSON", "Journal", "Network", "NetworkFiles", "NetworkHelper", "NetworkPlan",
            "Shapes", "Statistics", "System", "Time", "Venue",
        ]),
    Row(
        "Features", "Capture",
        [
            "Capturing", "Commands", "Hosting", "Journal", "NetworkPlan", "PacketCaptures", "Settings", "Shapes",
            "System", "Time", "Venue",
        ]),
    Row(
        "Features", "Recorder",
        [
            "Commands", "Hosting", "JSON", "Journal", "Recording", "Shapes", "Statistics", "System", "Time", "Venue",
        ]),
    Row(
        "Features", "Telemetry",
        [
            "Buffers", "Commands", "Enrolling", "Forwarding", "Hosting", "JSON", "Journal", "Playback", "Provisioning",
            "Reporting", "Reports", "Settings", "Shapes", "SignedEnvelopes", "Signing", "Statistics",
            "System", "Time", "Transfer", "Venue",
        ]),
    Row(
        "Features", "NetworkTrace",
        ["Commands", "Hosting", "Journal", "NetworkFiles", "Settings", "Shapes", "System", "Time", "Venue"]),
    Row(
        "Features", "Ping",
        [
            "Buffers", "Commands", "EchoMessages", "Hosting", "Journal", "Network", "Shapes", "System", "Time", "Venue",
        ]),
    Row("Features", "Service", ["Commands", "Hosting", "Journal", "Shapes", "System", "Time", "Venue"]),
    Row(
        "Features", "SyslogForwarding",
        [
            "Hosting", "JSON", "Journal", "Network", "Shapes", "Statistics", "SyslogMessages", "System", "Time",
            "Venue",
        ]),
    Row(
        "Features", "Sync",
        [
            "Commands", "CompanionScreens", "Discovery", "Hosting", "JSON", "Journal", "Playback", "Shapes", "Signing",
            "Statistics", "Synchronisation", "System", "Time", "Timelines", "Venue",
        ]),
    Row(
        "Features", "Layouts",
        [
            "Commands", "Hosting", "JSON", "LineUp", "Mixing", "Playback", "Presentation", "Reporting", "Scene",
            "Settings", "Shapes", "System", "Time", "Venue",
        ]),
    Row("Features", "Logging", ["Commands", "Hosting", "Journal", "Shapes", "Venue"]),
    Row(
        "Features", "Tuning",
        [
            "Codecs", "Commands", "Hosting", "JSON", "Journal", "LineUp", "Playback", "Programming", "Reporting",
            "Settings", "Shapes", "Time", "Venue",
        ]),
    Row(
        "Products", "Box",
        [
            "Access", "Audio", "Buffers", "Bytes", "Capture", "ChannelList", "Channels", "Codecs", "Commands",
            "Configuration",
            "Control",
            "Conversion", "Credentials", "DataChannels", "Decoders", "Diagnosis", "Display", "Endpoint", "Enrolling",
            "Forwarding", "GroupCommands", "Guide", "HTTP", "Health", "Hosting", "Identify", "Inspection", "JSON",
            "Journal", "Layouts", "LineUp", "Links", "Logging",
            "Media", "Mixing", "Monitoring", "Network", "NetworkHelper", "NetworkPlan", "NetworkSetup",
            "NetworkTrace", "OnScreenDisplay", "Overview", "Ping", "Playback", "Presentation", "Probe", "Provisioning",
            "Push",
            "Radios", "Reception", "Recorder", "Recording", "Rendering", "Reporting", "Scene", "Service", "Settings",
            "Shapes", "Signing", "Sound", "Statistics",
            "Sync",
            "SyslogForwarding",
            "System", "Telemetry", "Terminal", "TestSignals", "Time", "Tuning", "Venue", "Web", "WiFi",
        ]),
    Row(
        "Products", "HeadEnd",
        ["Buffers", "Casting", "CompanionScreens", "Journal", "Network", "Synchronisation", "System", "Time", "Venue"]),
    Row(
        "Products", "Replay",
        ["Bytes", "JSON", "Media", "Reception", "Recording", "System", "Terminal", "Time", "Venue"]),
    Row(
        "Products", "CommandLineClient",
        ["Commands", "ControlClient", "Credentials", "JSON", "Rendering", "System", "Time"]),
    Row(
        "Products", "Reporter",
        [
            "Alerting", "Buffers", "ClusterStore", "Collecting", "Commands", "Compression", "Credentials", "Database",
            "Enrolling", "Forwarding", "HTTP", "JSON", "Journal", "Network", "Provisioning", "Reports", "Shapes",
            "SignedEnvelopes", "Signing", "Statistics", "SyslogMessages", "System", "Time", "Transfer", "Venue", "Web",
        ]),
    Row(
        "Products", "Simulator",
        ["Compression", "Forwarding", "HTTP", "JSON", "Reports", "Simulating", "System", "Time", "Venue"]),
    Row("Programs", "touchlined", ["Box", "System", "Venue"]),
    Row("Programs", "touchline", ["CommandLineClient", "ControlClient"]),
    Row("Programs", "touchline-replay", ["Replay"]),
    Row("Programs", "touchline-reporter", ["Reporter", "Simulator", "System", "Venue"]),
    Row("Programs", "touchline-network-helper", ["NetworkHelper", "System", "Venue"]),
    Row("Programs", "touchline-streamer", ["Casting", "HeadEnd", "System", "Venue"]),
]

/// Layers and targets that are the whole package with what they use, for an emulator that takes long; unset: all rows.
let chosen = Context.environment["TOUCHLINE_LAYERS"].map { Set($0.split(separator: ",").map(String.init)) }
var rows = all.filter { row in chosen.map { $0.contains(row.layer) || $0.contains(row.name) } ?? true }
while let missing = all.first(where: { row in
    !rows.contains { $0.name == row.name } && rows.contains { $0.uses.contains(row.name) }
}) {
    rows.append(missing)
}

/// C libraries of Debian, each imported by exactly one target. Where libavformat is told how to be linked, the libraries
/// below it are meant: it is loaded while the program runs.
let libraries: [(name: String, pkgConfig: String, package: String)] = [
    ("CLibAVCodec", "libavcodec", "libavcodec-dev"),
    ("CLibAVFormat", "libavcodec", "libavformat-dev"),
    ("CLibSWScale", "libswscale", "libswscale-dev"),
    ("CLibSWResample", "libswresample", "libswresample-dev"),
    ("CLibALSA", "alsa", "libasound2-dev"),
    ("CLibASS", "libass", "libass-dev"),
    ("CLibISAL", "libisal", "libisal-dev"),
    ("CLibSodium", "libsodium", "libsodium-dev"),
    ("CLibCrypto", "libcrypto", "libssl-dev"),
    ("CLibZ", "zlib", "zlib1g-dev"),
    ("CLibExpat", "expat", "libexpat1-dev"),
    ("CLibSQLite", "sqlite3", "libsqlite3-dev"),
    ("CLibPQ", "libpq", "libpq-dev"),
    ("CLibCurl", "libcurl", "libcurl4-openssl-dev"),
    ("CLibDRM", "libdrm", "libdrm-dev"),
    ("CLibWebSockets", "libwebsockets", "libwebsockets-dev"),
]
/// Calls that Swift cannot import, likewise.
let shims = ["CSystemShims", "CNetworkShims", "CGLESShims", "CV4L2Shims"]
let foreign = Set(libraries.map(\.name) + shims)

/// Tested by others instead: by Tests/Interop programs, and what is hardly more than its threads; by the tests of the
/// client what it prints.
let testedElsewhere: Set = [
    "HeadEnd", "Rendering", "touchline", "touchline-network-helper", "touchline-replay", "touchline-reporter",
    "touchline-streamer", "touchlined",
]
/// What tests use beyond what their target does.
let more = [
    "Box": [
        "Announcements", "CLibALSA", "Casting", "Certificates", "CommandLineClient", "ControlClient", "ControlMessages",
        "DataMessages", "DataReception", "Diagnosing", "ErasureCoding", "FeatureTesting", "RTP", "Replay",
        "TransportStream",
    ], "Capture": ["Bytes"], "Recorder": ["Bytes"], "Capturing": ["NetworkPlan"],
    "Codecs": ["CLibAVCodec"], "Diagnosing": ["JSON"], "Simulating": ["Reports"],
    "Control": ["CommandLineClient", "ControlClient"], "Monitoring": ["LineUp", "Scene"], "Decoders": ["ControlClient"],
    "Display": ["Codecs", "Conversion"], "Transfer": ["HTTP", "Web"],
    "GroupCommands": ["Signing"], "NetworkFiles": ["JSON", "Shapes"], "SignedEnvelopes": ["Signing"],
    "Web": ["Certificates"],
    "Playback": ["Reception"], "Replay": ["ErasureCoding", "RTP"], "Synchronisation": ["Media", "Mixing", "Playback"],
]
/// What the tests of features make a context of.
let ofContexts = ["JSON", "Journal", "Settings", "Statistics", "System"]
/// What is part of the program, each file an array of octets.
let embedded = ["Box": "Page"]
/// Captured and made bytes lie beside the tests.
let withVectors: Set = ["Announcements", "Casting", "Codecs", "Containers", "Display", "TransportStream"]

/// Tests are built with the optimised sources that the programs are made of; optimising most tests themselves would take as
/// long again and find nothing. Swift 6.0.3 crashes when it optimises FeatureTesting.
let asWritten: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Tests that look at each pixel, sample or packet: as written they take up to twenty times as long, which is more than
/// their optimising. Of other tests it is less. The second compiler, which runs few of them, has them as written.
#if compiler(>=6.1)
let optimised: Set = ["ErasureCodingTests", "MediaTests", "MixingTests", "PresentationTests", "RecordingTests"]
#else
let optimised: Set<String> = []
#endif

let uses = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.uses.filter { !foreign.contains($0) }) })

/// These, and what they use in turn. A target may have values of a type that it does not import; SwiftPM compiles it anew
/// for a change of that type only if the type's target is among its dependencies, and else it reads them wrongly.
/// The tests of the architecture ask for each target's own.
func dependencies(_ names: [String]) -> [Target.Dependency] {
    var all = names
    var next = Context.environment["TOUCHLINE_DEPENDENCIES"] == "own" ? [] : names[...]
    while let name = next.popFirst() {
        let more = (uses[name] ?? []).filter { !all.contains($0) }
        all += more
        next += more
    }
    return all.map { Target.Dependency(stringLiteral: $0) }
}

/// Test targets that are in the package, for a build that runs only these; unset: all.
let tested = Context.environment["TOUCHLINE_TESTS"].map { Set($0.split(separator: ",").map(String.init)) }
func isTested(_ name: String) -> Bool { tested?.contains(name) ?? true }

var targets: [Target] = rows.map { row in
    let path = "Sources/\(row.layer)/\(row.name)"
    return row.layer == "Programs"
        ? .executableTarget(name: row.name, dependencies: dependencies(row.uses), path: path)
        : .target(
            name: row.name, dependencies: dependencies(row.uses), path: path,
            resources: embedded[row.name].map { [.embedInCode($0)] } ?? [])
}
targets += libraries.map { library in
    .systemLibrary(
        name: library.name, path: "Sources/CLibraries/\(library.name)", pkgConfig: library.pkgConfig,
        providers: [.apt([library.package])])
}
targets += shims.map { .target(name: $0, path: "Sources/CLibraries/\($0)") }
targets += rows.filter { !testedElsewhere.contains($0.name) && isTested("\($0.name)Tests") }.map { row in
    let used = Set(row.uses).subtracting(foreign).union(row.layer == "Features" ? ofContexts : [])
        .union(row.layer == "Features" || row.name == "Hosting" ? ["FeatureTesting"] : [])
    return .testTarget(
        name: "\(row.name)Tests",
        dependencies: dependencies([row.name, "TestSupport"] + used.union(more[row.name] ?? []).sorted()),
        path: "Tests/\(row.name)Tests", resources: withVectors.contains(row.name) ? [.copy("Vectors")] : [],
        swiftSettings: optimised.contains("\(row.name)Tests") ? [] : asWritten)
}
targets.append(.target(name: "TestSupport", path: "Tests/TestSupport"))
// Optimised, since it looks at each sample of a recording.
targets.append(.target(name: "Measuring", path: "Tests/Measuring"))
if rows.contains(where: { $0.name == "Hosting" }) {
    targets.append(
        .target(
            name: "FeatureTesting",
            dependencies: dependencies([
                "Hosting", "JSON", "Journal", "NetworkHelper", "NetworkPlan", "Settings", "Shapes", "Statistics",
                "System", "TestSupport", "Time", "Venue",
            ]), path: "Tests/FeatureTesting", swiftSettings: asWritten))
}
// Beside the tests of one target each: those of the whole, the benchmarks and libFuzzer's entry points.
let ofTheWhole: [Target] = [
    .testTarget(name: "ArchitectureTests", path: "Tests/ArchitectureTests", swiftSettings: asWritten),
    .testTarget(
        name: "InteropTests",
        dependencies: dependencies([
            "CommandLineClient", "Credentials", "ErasureCoding", "HTTP", "Hosting", "JSON", "Measuring",
            "NetworkFiles", "NetworkHelper", "NetworkPlan", "Provisioning", "Settings", "Shapes", "SignedEnvelopes",
            "Signing",
            "System",
            "TestSupport", "Time", "Venue", "Web",
        ]), path: "Tests/Interop",
        exclude: [
            "Browser", "alert_receiver.py", "companion.py", "discovery.py", "enrol.sh", "followers.py",
            "hostile_television.py", "metrics.py", "regions.py", "report_cluster.py", "reporter_peer.py",
            "secure_peer.py", "sending_boxes.py", "websocket_peer.py", "wrecking_relay.py",
        ], swiftSettings: asWritten),
    .executableTarget(
        name: "bench",
        dependencies: dependencies([
            "Announcements", "Buffers", "Bytes", "Collecting", "Database", "ErasureCoding", "JSON", "LineUp", "Media",
            "RTP", "Reception", "Synchronisation", "System", "TestSupport", "Time", "TransportStream", "Typesetting",
            "Venue",
        ]), path: "Tests/Benchmarks"),
    .executableTarget(
        name: "bench-planes",
        dependencies: dependencies([
            "CLibAVCodec", "Codecs", "Conversion", "Display", "Media", "Scene", "System", "TestSupport", "Time",
        ]), path: "Tests/PlaneBenchmarks"),
    .executableTarget(
        name: "mutate",
        dependencies: dependencies([
            "Bytes", "Certificates", "Codecs", "DataMessages", "EchoMessages", "ErasureCoding", "Forwarding", "Fuzz",
            "JSON", "Media",
            "Playback",
            "RTP", "Reception", "Recording", "Reports",
            "SignedEnvelopes", "TestSupport", "Time",
            "TransportStream", "Venue",
        ]), path: "Tests/Mutations"),
    .target(
        name: "Fuzz",
        dependencies: dependencies([
            "Announcements", "Auditing", "Bytes", "Certificates", "Commands", "CompanionScreens", "Control",
            "ControlClient", "ControlMessages", "Credentials", "DataMessages", "Display", "EchoMessages",
            "ErasureCoding", "Forwarding", "HTTP", "JSON",
            "LineUp", "Markup", "Media", "NetlinkMessages", "Network", "NetworkFiles", "NetworkHelper", "NetworkPlan",
            "PacketCaptures", "RTP",
            "Radio", "Recording", "Reports", "Settings", "Shapes", "SignedEnvelopes", "System", "Time",
            "TransportStream", "Venue",
        ]), path: "Tests/Fuzz"),
]

let package = Package(
    name: "touchline", products: chosen == nil ? [.library(name: "Fuzz", type: .static, targets: ["Fuzz"])] : [],
    targets: chosen == nil ? targets + ofTheWhole.filter { !$0.isTest || isTested($0.name) } : targets,
    swiftLanguageModes: [.v6])
