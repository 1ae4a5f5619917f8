// SPDX-License-Identifier: Apache-2.0
import Buffers
import Containers

/// A media file as a source.
public struct FileProvider: SessionProvider {
    private let path: String
    public var arrived: Wakeup? { nil }
    public var waitsForReader: Bool { true }

    /// - Parameter path: an absolute path.
    public init(path: String) { self.path = path }

    public func open(into sink: any SessionSink) throws(SourceFailure) -> any SessionReader {
        do throws(ContainerError) {
            return try FileReader(opening: path, into: sink)
        } catch {
            throw SourceFailure("\(error)")
        }
    }
}
