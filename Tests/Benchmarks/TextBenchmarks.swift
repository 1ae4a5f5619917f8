// SPDX-License-Identifier: Apache-2.0
import Media
import Typesetting

/// A frame counter drawn on each picture: 5 ms would be an eighth of a frame at 25 a second.
let textBenchmarks = [
    Benchmark(name: "text-counter", operation: "counter of 48 pixels", limit: 5_000_000) { count in
        do {
            var renderer = try TextRenderer()
            let canvas = CanvasBuffer(width: 1_280, height: 120)
            let style = TextStyle(.mono, height: 48)
            var ink = 0
            for frame in 0..<count {
                ink &+= try renderer.draw([Text("frame \(1_000_000 + frame)", x: 0, y: 0, style: style)], on: canvas)
            }
            return UInt64(ink)
        } catch {
            fatalError("text of ours: \(error)")
        }
    }
]
