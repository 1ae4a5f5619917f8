// SPDX-License-Identifier: Apache-2.0
import Certificates
import Commands
import Hosting
import Journal
import Network
import Shapes
import System
import Time
import Venue
import Web

/// The feature that says where the HTTP API and the page are served, and with which certificate. The product has the
/// server and does what this feature plans.
public final class Endpoint: Feature {
    public static let summary = """
        where the API and the page are served, to whom beyond this machine, and with which certificate: the command \
        `http-status`, settings `http`
        """

    /// What the product provides.
    public struct Sources {
        /// Directory of the file that keeps the box's own certificate.
        public var directory: String
        /// What the box's own certificate is called.
        public var boxID: String
        /// Whether the clock was set by something that knows the time.
        public var isClockSet: () -> Bool
        /// The wall clock; replaced by tests.
        package var now: () -> WallTime = { SystemClock.wall() }
        /// Gives the addresses of an interface; replaced by tests.
        package var addresses: (String) -> [String] = { LocalInterface.addresses(of: $0) }

        public init(directory: String, boxID: String, isClockSet: @escaping () -> Bool) {
            self.directory = directory
            self.boxID = boxID
            self.isClockSet = isClockSet
        }
    }

    /// Sets the server up anew. It calls its argument once: with nil when that is in effect, or with why the server is as
    /// before.
    public typealias SetUp = (EndpointPlan, _ end: @escaping (Status?) -> Void) -> Void

    public static var commands: [Handler<Endpoint>] { [Handler(ShowHTTP.self)] }
    public static var events: [EventDescription] {
        [EventDescription(CertificateMade.self), EventDescription(CertificateExpired.self)]
    }
    public static var sections: [SectionDescription] { [SectionDescription(HTTPSettings.self)] }

    private let context: FeatureContext
    private let sources: Sources
    private let log: Log
    private let own: CertificateFile.Found
    private(set) var settings: HTTPSettings
    /// What callers see.
    private(set) var certificate: ServerCertificate
    /// What the server was last asked for and has.
    public private(set) var plan: EndpointPlan
    /// Plans that wait until the server has been set up as the one before says.
    private var waiting: [(plan: EndpointPlan, end: (Status?) -> Void)] = []
    private var isApplying = false
    /// When the server is asked again for what it could not have.
    private var nextTry: Monotonic?
    private var lastProblem: String?
    private var saidExpired = false
    private static let retryInterval = Nanoseconds.seconds(10)
    /// The server; set by the product when it is made, before `start`.
    public var setUp: SetUp = { _, end in end(nil) }
    /// The ports of the plan's places; set by the product.
    public var ports: () -> [UInt16] = { [] }

    public init(_ context: FeatureContext) throws(Status) {
        self.context = context
        sources = context.provided(Sources.self)
        log = context.journal.log(for: "http")
        let hostName = SystemName.host
        do {
            let names = ["localhost"] + (hostName.isEmpty || hostName == "localhost" ? [] : [hostName])
            own = try CertificateFile(directory: sources.directory).load(
                name: "Touchline \(sources.boxID)", hosts: (names, ["127.0.0.1", "::1"]))
        } catch {
            throw .failure(.failed, "no certificate can be made: \(error)")
        }
        settings = context.settings.running[HTTPSettings.self]
        certificate = Self.certificate(of: settings, own)
        plan = EndpointPlan(settings, certificate, hostName: hostName, addresses: sources.addresses)
        context.settings.attach([HTTPSettings.name]) { [unowned self] (next) throws(Status) in
            try prepare(next[HTTPSettings.self])
        }
    }

    public func start() {
        if own.isNew || own.problem != nil {
            let fingerprint = own.certificate.fingerprint
            log(
                own.problem == nil ? .notice : .error, "certificate made",
                ["fingerprint": fingerprint, "why": own.problem ?? "there was none"])
            context.emit(CertificateMade(fingerprint: fingerprint, why: own.problem ?? ""))
        }
    }

    public func tick(at now: Monotonic) {
        tellExpiry()
        guard !isApplying, nextTry.map({ now >= $0 }) ?? true else { return }
        let wanted = plan(of: settings, certificate)
        guard wanted != plan else { return }
        // Addresses of an interface have changed, or the port was another's.
        apply(wanted) { [weak self] problem in
            guard let self else { return }
            nextTry = problem == nil ? nil : now + Self.retryInterval
            defer { lastProblem = problem?.errorString }
            if let problem, problem.errorString != lastProblem {
                log(.warning, "HTTP is not served as wanted", ["why": problem.errorString])
            } else if problem == nil, lastProblem != nil {
                log(.notice, "HTTP is served as wanted", ["ports": ports().map { "\($0)" }.joined(separator: " ")])
            }
        }
    }

    /// The server was made, with less than was wanted if it could not have that.
    public func made(_ actual: EndpointPlan, _ problem: String?) {
        plan = actual
        lastProblem = problem
        log(.debug, "server made", ["places": actual.places.count, "problem": problem ?? ""])
    }

    // MARK: What others ask

    /// SHA-256 of the certificate that callers see, as `AB:CD:…`.
    public var fingerprint: String { certificate.fingerprint }
    /// nil if it is not served.
    public var plainPort: UInt16? { port { !$0.isSecure } }
    /// nil if it is not served.
    public var securePort: UInt16? { port { $0.isSecure } }
    /// Whether it is served beyond this machine.
    public var isReachable: Bool { zip(plan.places, ports()).contains { $0.0.reachesBeyondLoopback } }
    /// Octets of a request's line and fields.
    public var headerOctets: Int { settings.headerKiB << 10 }

    private func port(where isMeant: (WebPlace) -> Bool) -> UInt16? {
        zip(plan.places, ports()).first { isMeant($0.0) }?.1
    }

    var isOwn: Bool { settings.certificate.isEmpty }
    var problem: String? { own.problem }

    /// Whether the certificate has expired; nil while the clock is not set.
    var isExpired: Bool? { sources.isClockSet() ? certificate.validUntil.seconds < seconds : nil }

    private var seconds: Int64 { sources.now().nanoseconds / 1_000_000_000 }

    // MARK: Changes

    private func prepare(_ next: HTTPSettings) throws(Status) -> Preparation {
        try checkValidity(next)
        for (index, place) in next.listen.enumerated() where NumericAddress(place) == nil {
            guard !NetworkInterface.all().contains(where: { $0.name == place }) else { continue }
            throw .failure(
                .configuration,
                "/http/listen/\(index) is \"\(place)\"; expected a numeric address of the box, or an interface that there is"
            )
        }
        let (before, shown) = (settings, certificate)
        let other = Self.certificate(of: next, own)
        let wanted = plan(of: next, other)
        return Preparation(
            undo: { [self] in
                (settings, certificate) = (before, shown)
                apply(plan(of: before, shown)) { _ in }
            },
            begin: { [self] end in
                apply(wanted) { [self] problem in
                    if problem == nil { (settings, certificate) = (next, other) }
                    end(problem)
                }
            })
    }

    private func apply(_ wanted: EndpointPlan, _ end: @escaping (Status?) -> Void) {
        waiting.append((wanted, end))
        applyNext()
    }

    private func applyNext() {
        guard !isApplying, !waiting.isEmpty else { return }
        isApplying = true
        let (wanted, end) = waiting.removeFirst()
        setUp(wanted) { [weak self] problem in
            self?.log(.debug, "server set up", ["places": wanted.places.count, "problem": problem?.errorString ?? ""])
            if problem == nil { self?.plan = wanted }
            self?.isApplying = false
            end(problem)
            self?.applyNext()
        }
    }

    /// A clock that nobody has set refuses no certificate.
    private func checkValidity(_ next: HTTPSettings) throws(Status) {
        guard next.certificate != settings.certificate, sources.isClockSet() else { return }
        guard let certificate = try? next.serverCertificate() else { return }  // a problem of the section, or none
        if certificate.validUntil.seconds < seconds {
            throw .failure(
                .configuration,
                "/http/certificate is valid until \(certificate.validUntil); expected one that has not expired")
        }
        if certificate.validFrom.seconds > seconds {
            throw .failure(
                .configuration,
                "/http/certificate is valid from \(certificate.validFrom); expected one that is valid now"
            )
        }
    }

    private func tellExpiry() {
        let isExpired = isExpired ?? false
        defer { saidExpired = isExpired }
        guard isExpired, !saidExpired else { return }
        let until = certificate.validUntil.description
        log(.error, "the certificate has expired", ["until": until])
        context.emit(CertificateExpired(fingerprint: fingerprint, until: until))
    }

    private func plan(of settings: HTTPSettings, _ certificate: ServerCertificate) -> EndpointPlan {
        EndpointPlan(settings, certificate, hostName: SystemName.host, addresses: sources.addresses)
    }

    /// A certificate of the settings that cannot be read gives way to the box's own: a box serves with what it has.
    private static func certificate(of settings: HTTPSettings, _ own: CertificateFile.Found) -> ServerCertificate {
        // A problem of the section, which was told.
        (try? settings.serverCertificate()) ?? own.certificate
    }
}
