// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What this process, and the kernel for it, have at hand.
struct GuestResources: Equatable, CustomStringConvertible {
    let descriptors: Int
    /// Mapped areas of device memory.
    let mappings: Int
    /// Of the whole machine, and how often devices are attached to them.
    let sharedBuffers: Int
    let attachments: Int

    init() throws {
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        mappings = try Self.lines("/proc/self/maps").count { $0.contains("dmabuf") || $0.contains("/dev/video") }
        // "Exp_name …", "Attached Devices:", "Total 0 devices attached", and last "Total 3 objects, 1622016 bytes".
        let shared = try Self.lines("/sys/kernel/debug/dma_buf/bufinfo").map { $0.split(separator: " ") }
        sharedBuffers = shared.last { $0.count > 2 && $0[2] == "objects," }.flatMap { Int($0[1]) } ?? -1
        attachments = shared.filter { $0.count > 3 && $0[3] == "attached" }.reduce(0) { $0 + (Int($1[1]) ?? 0) }
    }

    var description: String {
        "\(descriptors) descriptors, \(mappings) mappings, \(sharedBuffers) shared buffers, \(attachments) attachments"
    }

    /// Kilobytes of this process, and of the kernel's buffers: they breathe. What `status` says of a process is off by as
    /// many pages as processors have not told yet; its areas are counted here.
    static func memory() throws -> (process: Int, kernel: Int) {
        func number(_ name: String, _ path: String) throws -> Int {
            try lines(path).first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) } ?? -1
        }
        return (try number("Rss:", "/proc/self/smaps_rollup"), try number("VmallocUsed:", "/proc/meminfo"))
    }

    private static func lines(_ path: String) throws -> [Substring] {
        // Such files have no size to tell.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }  // only read
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n")
    }
}

/// TOUCHLINE_SOAK=100: as many rounds as show that a box keeps going for months; less: a share of them.
enum GuestSoak {
    static let percent = ProcessInfo.processInfo.environment["TOUCHLINE_SOAK"].flatMap { Int($0) } ?? 0
}
