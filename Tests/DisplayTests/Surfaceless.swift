// SPDX-License-Identifier: Apache-2.0
import Display
import Foundation
import Media
import Scene
import Testing

/// Mesa's EGL without a surface.
enum Surfaceless {
    /// Says so when it is not there, and fails where peers are required.
    static func withCompositor(_ width: Int, _ height: Int, _ body: (GLESCompositor) throws -> Void) throws {
        do {
            try body(GLESCompositor(size: PixelSize(width: width, height: height)))
        } catch let error as DisplayError {
            guard case .missing = error else { throw error }
            print("SKIP: no surfaceless EGL: \(error)")
            #expect(
                ProcessInfo.processInfo.environment["TOUCHLINE_REQUIRE_PEERS"] != "1",
                "libegl1 and libgl1-mesa-dri are required: \(error)")
        }
    }
}

extension PixelRectangle {
    init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        self.init(x: x, y: y, size: PixelSize(width: width, height: height))
    }
}

extension Placement {
    /// All of a picture.
    init(_ picture: TestPicture, at destination: PixelRectangle, rotation: QuarterTurn = .upright, opacity: Int = 255) {
        self.init(
            crop: PixelRectangle(0, 0, picture.width, picture.height), destination: destination, rotation: rotation,
            opacity: opacity)
    }
}
