// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Journal
import Shapes
import Statistics
import System
import Time
import Venue

/// A part of the product that a user would name, such as Sound, Guide or Health. It declares its commands, statistics
/// and events in its own folder, and drives the engines that it needs.
///
/// - Thread: the control loop's thread only.
public protocol Feature: AnyObject {
    /// What it is for, and its commands; the README's map of Sources shows it.
    static var summary: String { get }
    static var commands: [Handler<Self>] { get }
    static var events: [EventDescription] { get }
    /// The sections of the settings that the feature declares.
    static var sections: [SectionDescription] { get }

    init(_ context: FeatureContext) throws(Status)
    /// Called once, after all features are made and wired.
    func start()
    /// Called once a second from `start` to `stop`.
    func tick(at now: Monotonic)
    /// Releases what the feature holds. It returns within a bounded time.
    func stop()
}

extension Feature {
    public static var commands: [Handler<Self>] { [] }
    public static var events: [EventDescription] { [] }
    public static var sections: [SectionDescription] { [] }
    public func start() {}
    public func tick(at now: Monotonic) {}
    public func stop() {}
}

/// An event as a type whose fields are the payload.
public protocol FeatureEvent: Answer {
    static var about: EventAbout { get }
}

public struct EventAbout: Sendable {
    public let family: Event.Family
    public let name: String
    public let help: String
    /// True if it says what is true of a session also when that has ended, such as why.
    public let outlivesSession: Bool

    public init(_ family: Event.Family, _ name: String, _ help: String, outlivesSession: Bool = false) {
        self.family = family
        self.name = name
        self.help = help
        self.outlivesSession = outlivesSession
    }
}

extension EventDescription {
    public init<E: FeatureEvent>(_ type: E.Type) { self.init(E.about, E.self) }
}

/// Everything that the product gives to a feature: the loop, the journal, the registries, the settings and what
/// it provides by type.
public struct FeatureContext {
    public let loop: EventLoop
    public let journal: Journal
    public let statistics: StatisticRegistry
    public let settings: SettingsStore
    let append: (Event.Family, String, JSONValue) -> Void
    private var provided: [ObjectIdentifier: Any] = [:]

    /// - Parameter append: takes the family, the name and the payload of an event. Features emit none before `start`.
    public init(
        loop: EventLoop, journal: Journal, statistics: StatisticRegistry, settings: SettingsStore,
        append: @escaping (Event.Family, String, JSONValue) -> Void
    ) {
        self.loop = loop
        self.journal = journal
        self.statistics = statistics
        self.settings = settings
        self.append = append
    }

    /// Provides a value to the features that ask for its type, such as options of the command line or a view of another
    /// feature.
    public mutating func provide<T>(_ value: T) { provided[ObjectIdentifier(T.self)] = value }

    /// The value of this type. The product that lists the feature must have provided it.
    public func provided<T>(_ type: T.Type) -> T {
        guard let value = provided[ObjectIdentifier(type)] as? T else {
            preconditionFailure("nobody provides \(T.self)")
        }
        return value
    }

    public func emit<E: FeatureEvent>(_ event: E) { append(E.about.family, E.about.name, event.json) }
}
