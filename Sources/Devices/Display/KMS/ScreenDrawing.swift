// SPDX-License-Identifier: Apache-2.0

/// Who draws a screen's stage.
public enum ScreenDrawing: Sendable {
    /// The card's GPU where it has one that can; else the processor, which Mesa would only keep busy.
    case automatic
    /// OpenGL ES, by whatever it runs on.
    case gles
    case processor

    /// - Parameter make: nil where the processor is to draw.
    /// - Returns: of what was asked for why it is not to be had; a box without a GPU needs no excuse.
    func result(
        _ make: () throws(DisplayError) -> GLESCompositor?
    ) -> Result<GLESCompositor, DisplayError>? {
        if case .processor = self { return nil }
        do throws(DisplayError) {
            return try make().map { .success($0) }
        } catch {
            if case .automatic = self, case .missing = error { return nil }
            return .failure(error)
        }
    }
}
