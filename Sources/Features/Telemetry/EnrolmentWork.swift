// SPDX-License-Identifier: Apache-2.0
import Enrolling
import Journal
import Reports
import System
import Time
import Venue

/// Has the box enrol with its reporter when that asks for a token and the settings have none.
/// - Thread: that of the reports only, which waits for the disk here.
final class EnrolmentWork {
    private let box: String
    private let directory: String
    private let credential: BoxCredential
    private let log: Log
    private let sending: EnrolmentSending
    private var settings = ReportsSettings()
    private var identity: ReporterIdentity?
    private var machine = BoxEnrolment()
    /// Why the box has no key; nil if it has one, or needs none.
    private var problem: String?
    private var told = BoxEnrolment.State.unneeded
    private var random = SystemRandomNumberGenerator()
    /// What people call the box; nil until it is known.
    var name: String?

    /// - Parameters:
    ///   - directory: of the key and the credential.
    ///   - credential: takes what the reporter has given.
    ///   - wake: called on another thread when there are answers.
    init(
        box: String, directory: String, credential: BoxCredential, log: Log, wake: @escaping @Sendable () -> Void
    ) {
        (self.box, self.directory, self.credential, self.log) = (box, directory, credential, log)
        sending = EnrolmentSending(wake: wake)
    }

    private var root: String? { EnrolmentSending.root(of: settings.url) }

    /// What is sent as the bearer token; nil if there is none.
    var bearer: String? {
        if let token = settings.token { return token }
        guard let root, let server = settings.server, server.isSecure || server.isNear else { return nil }
        return identity?.credential(of: root)
    }

    /// Whether reports wait until the box is enrolled.
    var isUnderWay: Bool { machine.isUnderWay }

    var shown: UploadState.Enrolment? {
        guard machine.state != .unneeded else { return nil }
        return UploadState.Enrolment(
            state: machine.state, problem: machine.problem ?? problem,
            fingerprint: identity?.key.verifyingKey.fingerprint)
    }

    func follow(_ new: ReportsSettings) {
        settings = new
        sending.disconnect()
        machine = BoxEnrolment()
        defer { publish() }
        guard new.url != nil, new.token == nil, let root else { return }
        // A box that reports without a token needs no key until the reporter asks for one.
        if identity == nil, new.enrol != nil || hasKey { load() }
        let hasCredential = identity?.credential(of: root) != nil
        machine = BoxEnrolment(hasCredential: hasCredential)
        if !hasCredential, new.enrol != nil { machine.require(nil, at: SystemClock.monotonic()) }
    }

    private var hasKey: Bool {
        // What cannot be read is told when the key is needed.
        (try? DurableFile.read(directory + "/key.pem", limit: 4_096)) != nil
    }

    private func load() {
        do {
            identity = try ReporterIdentity(directory)
            problem = nil
        } catch {
            if problem == nil { log(.error, "the box has no key for its reporter", ["why": "\(error)"]) }
            problem = "the box has no key: \(error)"
        }
    }

    /// The reporter takes nothing of the box as it is.
    /// - Parameter status: 401 or 403.
    func refused(_ status: Int) {
        guard settings.token == nil, root != nil, status == 401 || machine.state == .enrolled else { return }
        machine.require("the reporter answered \(status)", at: SystemClock.monotonic())
    }

    /// - Returns: when there is something to do; nil if that is not known.
    func advance() -> Monotonic? {
        guard machine.isUnderWay, let root else { return nil }
        if identity == nil { load() }
        guard let identity else { return SystemClock.monotonic() + .seconds(30) }
        while true {
            let action = machine.next(at: SystemClock.monotonic(), &random)
            let (request, immediate): (UInt64, BoxEnrolment.Answer?)
            switch action {
            case .none: return nil
            case .wait(let until): return until
            case .askNonce(let number):
                (request, immediate) = (number, sending.askNonce(number, at: root, by: settings))
            case .ask(let number, let nonce):
                var asked = EnrolmentRequest()
                (asked.box, asked.publicKey, asked.nonce) = (box, identity.key.verifyingKey.base64, nonce)
                (asked.name, asked.version) = (String((name ?? "").prefix(64)), String(Build.version.prefix(64)))
                asked.token = settings.enrol
                request = number
                immediate = sending.ask(number, asked, signedBy: identity.key, at: root, by: settings)
            }
            guard let immediate else { continue }
            machine.answered(request, immediate, at: SystemClock.monotonic(), &random)
            tell()
        }
    }

    /// - Returns: whether the box is enrolled from now on.
    func takeAnswers() -> Bool {
        let wasUnderWay = machine.isUnderWay
        for answer in sending.takeAnswers() {
            if let credential = answer.credential, let root { keep(credential, of: root) }
            machine.answered(
                answer.request, answer.answer, retryAfter: answer.retryAfter, at: SystemClock.monotonic(), &random)
            tell()
        }
        return wasUnderWay && !machine.isUnderWay
    }

    private func keep(_ credential: String, of root: String) {
        do throws(SystemCallError) {
            try identity?.keep(credential, of: root)
        } catch {
            log(.error, "the credential is not kept", ["why": error])
        }
        publish()
    }

    private func publish() {
        credential.publish(settings.token == nil ? bearer : nil, of: root)
    }

    private func tell() {
        guard machine.state != told else { return }
        told = machine.state
        switch told {
        case .unneeded, .asking: break
        case .pending(let why): log(.notice, "the box waits to be approved by its reporter", ["why": why])
        case .refused(let why): log(.warning, "the reporter refuses the box", ["why": why])
        case .impossible(let why): log(.warning, "the box cannot enrol", ["why": why])
        case .enrolled: log(.notice, "the box is enrolled")
        }
    }

    func stop() { sending.disconnect() }
}
