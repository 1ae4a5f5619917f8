// SPDX-License-Identifier: Apache-2.0
import Buffers
import Display
import Scene
import System

/// The life of the render thread: it opens outputs one after the other and runs a render loop on each. There is an
/// output at all times: if a new one cannot be opened, the old one shows the stage again.
/// - Thread: the render thread.
final class RenderThread {
    /// A change of the output. The report has its ticket.
    struct Change: Sendable {
        let request: OutputRequest
        let ticket: Int
    }

    /// Opens an output.
    typealias Opener = (OutputRequest, OutputOpening) throws(DisplayError) -> any StageLoop

    private let open: Opener
    private let changed: (OutputRequest, _ ticket: Int, _ problem: String?) -> Void
    private var request: OutputRequest
    private var loop: (any StageLoop)?
    private var waiting: ArraySlice<Change> = []

    /// Opens the first output.
    /// - Parameters:
    ///   - open: never throws for an output that is opened `.somehow`.
    ///   - changed: called after each change with the output that shows the stage, the ticket of the change, and why
    ///     it is the old output; nil if it is the one that was asked for.
    init(
        _ first: OutputRequest, open: @escaping Opener,
        changed: @escaping (OutputRequest, _ ticket: Int, _ problem: String?) -> Void
    ) {
        self.open = open
        self.changed = changed
        request = first
        loop = openSomehow(first)
    }

    /// Returns when `stopping` is raised. Changes that have not been made by then are dropped.
    func run(_ changes: Mailbox<Change>, wakeup: Wakeup, until stopping: StopFlag) {
        while !stopping.isRaised {
            loop?.run(wakeup: wakeup) {
                let new = changes.takeAll()
                if !new.isEmpty { waiting += new }
                return stopping.isRaised || !waiting.isEmpty
            }
            while !stopping.isRaised, let change = waiting.popFirst() {
                let problem = change.request == request ? nil : replace(by: change.request)
                changed(request, change.ticket, problem)
            }
        }
    }

    /// The new output is opened beside the old one if it can be, so that a failure interrupts nothing. A card, or a
    /// context of OpenGL ES, has to be closed first.
    /// - Returns: why the old output still shows the stage; nil if the new one does.
    private func replace(by new: OutputRequest) -> String? {
        if request.kind.usesDevice, new.kind.usesDevice { loop = nil }
        do throws(DisplayError) {
            loop = try open(new, .asAsked)
            request = new
            return nil
        } catch {
            if loop == nil { loop = openSomehow(request) }
            return error.description
        }
    }

    private func openSomehow(_ request: OutputRequest) -> any StageLoop {
        do throws(DisplayError) {
            return try open(request, .somehow)
        } catch {
            preconditionFailure("an output that is opened somehow was not: \(error)")
        }
    }
}

/// What is to be done about an output that cannot be had as it was asked for.
enum OutputOpening {
    /// The stage is shown as well as it can be, in memory or drawn in software, and a report says why: at start, and
    /// when an output is opened again.
    case somehow
    /// It is an error.
    case asAsked
}
