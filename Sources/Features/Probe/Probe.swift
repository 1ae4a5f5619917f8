// SPDX-License-Identifier: Apache-2.0
import Buffers
import Commands
import Hosting
import Media
import Settings
import Shapes
import Synchronization
import System
import Time
import Transfer
import Venue

/// The feature that says whether something plays on the box, and why not (PLAY-44).
public final class Probe: Feature {
    public static let summary = "whether a file, a URL or a group plays, and why not: the command `probe`"

    public static var commands: [Handler<Probe>] { [Handler(ProbeMedia.self)] }

    public struct Sources {
        /// What would decode pictures of this codec, width and height now, in words; nil for codecs of sound.
        public var decoder: (Media.Codec, _ width: Int, _ height: Int) -> String?

        public init(decoder: @escaping (Media.Codec, _ width: Int, _ height: Int) -> String?) { self.decoder = decoder }
    }

    /// How long a look may take, from its beginning.
    private static let patience = Nanoseconds.seconds(12)

    private let loop: EventLoop
    private let sources: Sources
    private let task: BackgroundTask
    private let client: TransferClient
    private let waker: Waker
    private var interface: String
    /// The caller that waits for an answer; nil while no probe is under way.
    private var reply: Reply<ProbeAnswer>?
    private var transfer: (id: TransferClient.Transfer, url: String)?
    private var look: ProbeLook?
    private var timer: EventLoop.Timer?

    public init(_ context: FeatureContext) throws(Status) {
        loop = context.loop
        sources = context.provided(Sources.self)
        interface = context.provided(Settings.self).network.interface ?? ""
        let inbox = LateHandler()
        do throws(SystemCallError) {
            task = try BackgroundTask(loop: context.loop)
            let waker = try context.loop.makeWaker { inbox.handler() }
            self.waker = waker
            client = try TransferClient { waker.wake() }
        } catch {
            throw .failure(.failed, "\(error)")
        }
        inbox.handler = { [weak self] in self?.takeReports() }
        context.settings.follow(["network"]) { [weak self] new, _ in self?.interface = new.network.interface ?? "" }
    }

    public func stop() {
        reply = nil
        look?.interrupt.raise()
        client.stop()
        task.stop()
        loop.remove(waker)
        if let timer { loop.cancel(timer) }
    }

    func begin(_ target: ProbeTarget, _ reply: Reply<ProbeAnswer>) {
        guard self.reply == nil, look == nil else {
            return reply(.failure(.failure(.busy, "a probe is under way")))
        }
        self.reply = reply
        timer = loop.after(Self.patience) { [weak self] in self?.giveUp() }
        let look = ProbeLook(interface: interface)
        switch target {
        case .file(let path): run(look) { () throws(Status) in try look.file(path) }
        case .group(let address, let port): run(look) { () throws(Status) in try look.group(address, port) }
        case .url(let url):
            var request = TransferRequest(url, mostOctets: 2 * ProbeLook.mostOctets, timeout: .seconds(8))
            request.trust = url.hasPrefix("https:") ? .system : nil
            request.header = [TransferRequest.Field("Range", "bytes=0-\(ProbeLook.mostOctets - 1)")]
            transfer = (client.begin(request), url)
        }
    }

    private func takeReports() {
        for report in client.takeReports() where report.transfer == transfer?.id {
            guard let (_, url) = transfer else { continue }
            transfer = nil
            switch report.result {
            case .failure(.tooLong):
                end(.failure(.failure(.failed, "\(url) is long, and its server gives no parts of it")))
            case .failure(let failure): end(.failure(.failure(.failed, "\(url): \(failure)")))
            case .success(let response):
                guard (200...206).contains(response.status) else {
                    end(.failure(.failure(.failed, "\(url): the server says \(response.status)")))
                    continue
                }
                let look = ProbeLook(interface: interface)
                run(look) { () throws(Status) in try look.document(response.octets, from: url) }
            }
        }
    }

    private final class Outcome: Sendable {
        let value = Mutex<Result<ProbeAnswer, Status>?>(nil)
    }

    private func run(_ look: ProbeLook, _ work: @escaping @Sendable () throws(Status) -> ProbeAnswer) {
        let outcome = Outcome()
        do throws(SystemCallError) {
            try task.run("probe") {
                let result: Result<ProbeAnswer, Status>
                do throws(Status) { result = .success(try work()) } catch { result = .failure(error) }
                outcome.value.withLock { $0 = result }
            } then: { [weak self] in
                guard let self else { return }
                self.look = nil
                let result = outcome.value.withLock { $0 } ?? .failure(.failure(.failed, "nothing was found out"))
                end(result.map(withDecoders))
            }
            self.look = look
        } catch {
            end(.failure(.failure(.failed, "\(error)")))
        }
    }

    private func withDecoders(_ answer: ProbeAnswer) -> ProbeAnswer {
        var answer = answer
        answer.decoders = answer.description.streams.map { stream in
            stream.played.flatMap { sources.decoder($0, stream.width, stream.height) }
        }
        return answer
    }

    /// What was begun ends by itself soon, unreported.
    private func giveUp() {
        timer = nil
        look?.interrupt.raise()
        transfer = nil
        end(.failure(.failure(.failed, "it took more than \(Self.patience.seconds) s")))
    }

    private func end(_ result: Result<ProbeAnswer, Status>) {
        if let timer { loop.cancel(timer) }
        timer = nil
        let reply = reply
        self.reply = nil
        reply?(result)
    }
}
