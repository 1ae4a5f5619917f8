// SPDX-License-Identifier: Apache-2.0
internal import CLibAVFormat

/// The functions of libavformat, which is loaded when they are first asked for.
///
/// - Thread: any.
enum FormatLibrary {
    private enum Loading {
        case loaded(tlf_calls)
        case failed(String)
    }

    private static let loading: Loading = {
        // Errors are told as `ContainerError`, so that libav's own log is silent.
        av_log_set_level(AV_LOG_QUIET)
        var calls = tlf_calls()
        guard let problem = tlf_load(&calls) else { return .loaded(calls) }
        return .failed(String(cString: problem))
    }()

    /// - Parameter path: of the file that they are for.
    static func calls(for path: String) throws(ContainerError) -> tlf_calls {
        switch loading {
        case .loaded(let calls): return calls
        case .failed(let problem): throw .cannotOpen(path: path, reason: problem)
        }
    }
}
