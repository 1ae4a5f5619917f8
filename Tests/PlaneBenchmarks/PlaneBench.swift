// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scene
import TestSupport

/// What it costs the processor to show the pictures of a hardware decoder, without a copy and with copies: in the machine
/// of `board/guest`. Its decoder (`vicodec`) and screen (`vkms`) do with the processor what others do by themselves; that
/// is not counted.
/// Fails when a picture went another way than it should have, or when a copy is not dearer than none.
///
/// An emulated processor is slower at some things than at others: the ratios are of the same machine and run, those of
/// a board will differ.
@main
struct PlaneBench {
    private static let rounds = 5

    static func main() {
        guard Guest.isHere else { exit(69) }
        do {
            let bars = try FWHTStream("bars").units
            var isGood = try run(bars, of: PixelSize(width: 640, height: 360), on: PixelSize(width: 640, height: 480))
            let large = PixelSize(width: 1_920, height: 1_080)
            isGood = try run(FWHTPainting(large).units, of: large, on: large) && isGood
            exit(isGood ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("bench-planes: \(error)\n".utf8))
            exit(70)
        }
    }

    /// - Returns: whether nothing is as cheap as no copy.
    private static func run(_ units: [[UInt8]], of size: PixelSize, on mode: PixelSize) throws -> Bool {
        let show = try Show(units, of: size, on: mode)
        var rounds: [[PicturePath: [Show.Cost]]] = []
        for _ in 0..<Self.rounds {
            var round: [PicturePath: [Show.Cost]] = [:]
            for path in PicturePath.allCases { round[path] = try show.costs(of: path) }
            rounds.append(round)
        }
        let decoding = median(of: rounds.flatMap { $0.values.flatMap { $0.map(\.decoding) } })
        print("\(size) from vicodec, on a screen of \(mode): CPU microseconds of the process for each picture,")
        print("medians of \(Self.rounds) rounds of \(Show.pictures) pictures a path; in all: the decoder's calls, too")
        print("   shown  ratio  in all  ratio")
        var isGood = true
        for path in PicturePath.allCases {
            let shown = rounds.map { median(of: $0[path]?.map(\.showing) ?? []) }
            let least = rounds.map { median(of: $0[.plane]?.map(\.showing) ?? []) }
            let ratio = median(of: zip(shown, least).map { $0 / $1 })
            let whole = median(of: zip(shown, least).map { ($0 + decoding) / ($1 + decoding) })
            let cost = median(of: shown)
            print(String(format: "%8.0f %6.2f %7.0f %6.2f  ", cost, ratio, cost + decoding, whole) + path.rawValue)
            if path != .plane, ratio <= 1 { isGood = false }
        }
        return isGood
    }

    private static func median(of values: [Double]) -> Double {
        values.isEmpty ? .nan : values.sorted()[(values.count - 1) / 2]
    }

    private static func print(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
