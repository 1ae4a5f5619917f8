// SPDX-License-Identifier: Apache-2.0

/// Writes on the screen. Those who may write are given one.
public struct ScreenTextWriter {
    private let post: (ScreenText.Input) -> Bool

    /// - Parameter post: returns false if the text thread hangs.
    public init(_ post: @escaping (ScreenText.Input) -> Bool) { self.post = post }

    /// - Returns: false if the text thread hangs.
    @discardableResult
    public func write(_ input: ScreenText.Input) -> Bool { post(input) }
}
