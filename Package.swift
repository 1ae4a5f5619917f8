// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackageDescription

// One row per target: folder (the layer, see README), name, what it may use. Tests lie in Tests/<Target>Tests.
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
    Row("Wire", "Announcements", ["Bytes", "JSON", "Venue"]),
    Row("Devices", "System", ["Buffers", "Bytes", "Time", "CSystemShims"]),
    Row("Devices", "Journal", ["System", "Time"]),
    Row("Devices", "Network", ["Buffers", "System", "Time", "CSystemShims"]),
    Row("Devices", "Codecs", ["Media", "System", "Time", "CLibAV"]),
    Row("Devices", "Containers", ["Media", "System", "Time", "CLibAVFormat"]),
    Row("Devices", "Conversion", ["Media", "Scene", "System", "CLibSWScale"]),
    Row("Devices", "Typesetting", ["Media", "Scene", "System", "CLibASS"]),
    Row("Devices", "Sound", ["Media", "System", "Time"]),
    Row("Devices", "Display", ["Media", "Scene", "System", "Time"]),
]
