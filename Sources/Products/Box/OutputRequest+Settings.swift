// SPDX-License-Identifier: Apache-2.0
import Display
import Presentation
import Scene
import Settings

extension OutputRequest {
    init(_ output: Settings.Output) {
        self.init(Self.kind(output), size: output.screen, mounting: output.mounting)
    }

    private static func kind(_ output: Settings.Output) -> OutputKind {
        switch output.kind {
        case .headless: .headless
        case .headlessGles: .headlessGLES
        case .kms:
            .kms(
                mode: output.mode, connector: output.connector, drawing: ScreenDrawing(output.drawing),
                planes: output.usesPlanes, isMirrored: output.isMirrored)
        case .null: .null
        }
    }
}

extension ScreenDrawing {
    fileprivate init(_ drawing: Settings.Output.Drawing) {
        self =
            switch drawing {
            case .automatic: .automatic
            case .gles: .gles
            case .processor: .processor
            }
    }
}
