// SPDX-License-Identifier: Apache-2.0
import Testing

/// A record of a file, read as the format says and by another way than it is written.
struct CaptureRecord: Equatable {
    let time: Int64
    let frame: [UInt8]
    let length: Int

    static func all(in file: [UInt8]) throws -> [CaptureRecord] {
        func number(_ place: Int) -> Int { file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        try #require(file.count >= 24)
        try #require(number(0) == 0xa1b2_3c4d && number(20) == 1)
        var found: [CaptureRecord] = []
        var place = 24
        while place < file.count {
            let kept = number(place + 8)
            let time = Int64(number(place)) * 1_000_000_000 + Int64(number(place + 4))
            let frame = Array(file[(place + 16)..<(place + 16 + kept)])
            found.append(CaptureRecord(time: time, frame: frame, length: number(place + 12)))
            place += 16 + kept
        }
        return found
    }
}
