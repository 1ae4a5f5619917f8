// SPDX-License-Identifier: Apache-2.0
import JSON
import Settings

func fuzzBoardDecoders(_ bytes: UnsafeRawBufferPointer) {
    guard let board = try? BoardDecoders(parsing: Array(bytes)) else { return }  // refusing is an answer
    precondition((1...16).contains(board.compatible.count) && board.devices.count <= 16)
    precondition(Set(board.devices.map(\.driver)).count == board.devices.count)
    for device in board.devices {
        let streams = device.streams ?? []
        precondition(Set(streams.map(\.codec)).count == streams.count)
        precondition(streams.allSatisfy { BoardDecoders.codecs.contains($0.codec) && ($0.width ?? 1) > 0 })
    }
}

func fuzzChecksumManifest(_ bytes: UnsafeRawBufferPointer) {
    guard let manifest = ChecksumManifest(parsing: Array(bytes)) else { return }  // as above
    precondition(manifest.entries.count <= ChecksumManifest.mostEntries)
    for entry in manifest.entries {
        precondition(entry.digest.utf8.count == 64 && (1...64).contains(entry.name.utf8.count))
        precondition(!entry.name.contains("/") && entry.name.first != ".")
    }
}
