// SPDX-License-Identifier: Apache-2.0
import Buffers
import Media

/// A live channel as a source: the history that its receiver keeps.
public struct LiveProvider: SessionProvider {
    private let history: HistoryBuffer
    public let arrived: Wakeup?
    public var waitsForReader: Bool { false }

    /// - Parameter arrived: signalled when the history has grown.
    public init(_ history: HistoryBuffer, arrived: Wakeup) {
        self.history = history
        self.arrived = arrived
    }

    public func open(into sink: any SessionSink) -> any SessionReader { LiveReader(history, into: sink) }
}
