// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Every entry by its name; `board/fuzz` takes each in turn.
private let entries: [(name: String, run: @Sendable (UnsafeRawBufferPointer) -> Void)] = [
    ("Announcement", fuzzAnnouncement),
    ("InputLog", fuzzInputLog),
    ("JSON", fuzzJSON),
    ("LineUp", fuzzLineUp),
    ("RTP", fuzzRTP),
    ("SAP", fuzzSAP),
    ("SDP", fuzzSDP),
    ("TransportStream", fuzzTransportStream),
]

/// The one that TOUCHLINE_FUZZ names. `list` prints the names instead.
private let entry: @Sendable (UnsafeRawBufferPointer) -> Void = {
    let name = getenv("TOUCHLINE_FUZZ").map { String(cString: $0) } ?? "list"
    if let entry = entries.first(where: { $0.name == name }) { return entry.run }
    let names = entries.map(\.name).joined(separator: "\n")
    guard name == "list" else {
        let complaint = "no fuzz entry \(name); there are:\n\(names)\n"
        _ = write(STDERR_FILENO, complaint, complaint.utf8.count)
        exit(2)
    }
    puts(names)
    exit(0)
}()

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    entry(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
