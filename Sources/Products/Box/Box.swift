// SPDX-License-Identifier: Apache-2.0
import Capture
import Control
import Endpoint
import Hosting
import JSON
import Journal
import Playback
import Recorder
import Service
import Settings
import System
import Venue

/// A whole set-top box. The thread that creates it also runs and ends it: it is the control plane's thread (SVM-01…03).
public final class Box {
    private let log: Log
    private let loop: EventLoop
    let control: ControlPlane
    private let revisions: SettingsRevisions
    private let starts: StartCounter
    private let server: ControlServer
    /// nil if the machine has no thread or no descriptor for it. Where it listens, if anywhere, the settings say.
    private let web: WebEndpoint?
    private let notify = NotifySocket()

    /// - Throws: `Status` with an exit code of `config/CONVENTIONS.md`: 75 if another service runs.
    public init(_ options: BoxOptions) throws(Status) {
        let settings: Settings
        let made: SettingsStart.Made?
        let context: FeatureContext
        let later = LateControlPlane()
        HeapMemory.mapLargeBlocks()
        HeapMemory.shareArenas()
        do {
            loop = try EventLoop()
            let directory = options.stateDirectory + "/settings"
            starts = try Self.count(in: options.stateDirectory)
            // Before anything of it is read.
            let reset = FactoryReset(directory: options.stateDirectory).carryOut()
            revisions = try SettingsRevisions(directory: directory, loop: loop)
            let sources = SettingsSources(
                image: options.image, imported: options.configuration, revisions: revisions)
            let start = sources.open(failedStarts: starts.failed) { [revisions] image, revision, earlier in
                try SettingsStore(
                    Self.sections, image: image, revision: revision, earlier: earlier, archive: revisions,
                    consistency: Settings.problems)
            }
            made = start.made
            settings = start.store.running.settings
            let lines = LogFollower()
            let journal = Journal(
                levels: Journal.Levels(level: settings.log.level, subsystems: settings.log.subsystems),
                write: { [write = options.log] line in
                    write(line)
                    lines.take(line)
                })
            log = journal.log(for: "service")
            let identity = try BoxIdentity.load(from: options.stateDirectory)
            context = Self.context(
                start, options, identity, loop, journal, lines, later,
                Service.State(directory: options.stateDirectory, reset: reset))
            control = try ControlPlane(FeatureHost(Self.features, context), context)
            later.control = control
            Self.follow(start.store, media: control.media, regions: context.provided(RegionDirectory.self))
            if let problem = identity.problem {
                log(.error, "the box's identity is not kept", ["error": problem])
                control.emit(.service, "identityNotKept", ["why": .string("\(problem)")])
            }
        } catch let error as Status {
            throw error
        } catch {
            throw .failure(.failed, "\(error)")
        }
        do {
            server = try ControlServer(
                path: options.socket ?? settings.controlSocket, loop: loop, handler: control,
                access: SocketAccess(control.access))
        } catch {
            control.stop()
            throw error.status
        }
        web = Self.webEndpoint(loop, control, log)
        later.web = web
        context.provided(EventSignal.self).subscribe { [unowned server, web] in
            server.eventsAppended()
            web?.eventsAppended()
        }
        control.onMessage = { [unowned server, web] feed in
            server.messagesAppended(to: feed)
            web?.messagesAppended(to: feed)
        }
        revisions.removeUnpublished()
        if let made { keep(made) }
    }

    /// - Throws: `.busy` if another service has the directory (exit code 75).
    private static func count(in directory: String) throws(Status) -> StartCounter {
        do {
            return try StartCounter(directory: directory)
        } catch {
            throw .failure(.busy, "\(directory) belongs to another service that runs: \(error)")
        }
    }

    /// A box plays without HTTP: a failure is logged and emitted as an event, and the box goes on.
    private static func webEndpoint(_ loop: EventLoop, _ control: ControlPlane, _ log: Log) -> WebEndpoint? {
        let feature = control.features[Endpoint.self]
        let settings = control.context.settings.running[HTTPSettings.self]
        func fail(_ problem: SystemCallError) {
            log(.error, "HTTP is not served", ["port": settings.port, "error": problem])
            control.emit(
                .service, "httpFailed", ["port": .integer(Int64(settings.port)), "why": .string("\(problem)")])
        }
        do {
            let web = try WebEndpoint(
                feature.plan, headerOctets: feature.headerOctets, loop: loop, handler: control,
                access: HTTPAccess(control.access.gate), pictures: control.media.pictures,
                statistics: control.context.statistics,
                files: files(of: control))
            feature.setUp = { [weak web] plan, end in
                guard let web else { return end(.failure(.failed, "the service is stopping")) }
                web.apply(plan, end)
            }
            feature.ports = { [weak web] in web?.ports ?? [] }
            feature.made(web.start.plan, web.start.problem.map { "\($0)" })
            if let problem = web.start.problem { fail(problem) }
            let ports = web.ports.map { "\($0)" }.joined(separator: " ")
            if !web.ports.isEmpty { log(.notice, "HTTP is served", ["ports": ports]) }
            return web
        } catch {
            fail(error)
            return nil
        }
    }

    private static func files(of control: ControlPlane) -> WebEndpoint.Files {
        WebEndpoint.Files(
            readIncident: { [weak control] id, done in control?.features[Recorder.self].read(id, done) },
            capture: { [weak control] in
                guard let control else { return .failure(.failure(.failed, "the service is stopping")) }
                do throws(Status) {
                    return .success(try control.features[Capture.self].file())
                } catch {
                    return .failure(error)
                }
            })
    }

    /// Runs until a signal or the command `shutdown`.
    /// - Parameter signals: created before the box, so that all threads of the box inherit the blocked signals.
    public func run(until signals: borrowing SignalWatch) throws(Status) {
        do {
            try serve(until: signals)
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    private func serve(until signals: borrowing SignalWatch) throws(SystemCallError) {
        let watch = try loop.watch(signals.rawValue, for: .readable) { [unowned self] _ in loop.stop() }
        control.onShutdown = { [unowned self] in loop.stop() }
        var isReady = false
        control.onAlive = { [unowned self] in
            notify.notify(isReady ? "WATCHDOG=1" : "READY=1")
            if !isReady { starts.succeeded() }
            isReady = true
        }
        control.start()
        log(.notice, "started", ["box": control.context.provided(BoxIdentity.self).id, "version": Build.version])
        try loop.run()
        loop.unwatch(watch)
        notify.notify("STOPPING=1")
        control.goOffAir()
        control.stop()
        server.stop()
        web?.stop()
        revisions.stop()
        log(.notice, "stopped")
    }

    /// The box plays with settings that cannot be kept.
    private func keep(_ made: SettingsStart.Made) {
        do {
            try revisions.keep(made)
        } catch {
            log(.error, "the settings are not kept", ["error": error])
            control.emit(.service, "settingsNotKept", ["why": .string("\(error)")])
        }
    }
}
