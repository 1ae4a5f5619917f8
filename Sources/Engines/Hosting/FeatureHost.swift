// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes
import Time
import Venue

/// Makes the features of a list, owns them, and passes commands to them.
public final class FeatureHost {
    private var features: [any Feature] = []
    private var commands: [String: (CommandRequest, @escaping (Result<JSONValue, Status>) -> Void) -> Void] = [:]
    /// The types of events that say what is true of a session also when that has ended.
    public private(set) var eventsThatOutliveSessions: Set<String> = []

    /// - Throws: the status with which a feature could not be made. The features before it have been stopped.
    public init(_ types: [any Feature.Type], _ context: FeatureContext) throws(Status) {
        do throws(Status) {
            for type in types { try make(type, context) }
        } catch {
            stop()
            throw error
        }
    }

    /// The feature of this type, which must be in the list.
    public subscript<F: Feature>(_ type: F.Type) -> F {
        for case let feature as F in features { return feature }
        preconditionFailure("\(F.self) is not in the list of features")
    }

    public func start() { for feature in features { feature.start() } }

    /// To be called once a second.
    public func tick(at now: Monotonic) { for feature in features { feature.tick(at: now) } }

    public func stop() {
        for feature in features.reversed() { feature.stop() }
        features = []
        commands = [:]
    }

    /// - Parameter answer: is called once, now or later.
    /// - Returns: false if the command belongs to no feature. Then `answer` is not called.
    public func handle(
        _ request: CommandRequest, answer: @escaping (Result<JSONValue, Status>) -> Void
    ) -> Bool {
        guard let run = commands[request.command] else { return false }
        run(request, answer)
        return true
    }

    private func make<F: Feature>(_ type: F.Type, _ context: FeatureContext) throws(Status) {
        let feature = try F(context)
        features.append(feature)
        for event in F.events where event.outlivesSession { eventsThatOutliveSessions.insert(event.type) }
        for handler in F.commands {
            let name = handler.description.name
            precondition(commands[name] == nil, "two features have a command \(name)")
            commands[name] = { [unowned feature] request, answer in handler.run(feature, request, answer) }
        }
    }
}

/// The commands, events and sections of settings that a list of features declares. No feature is made for it.
public struct FeatureDeclarations: Sendable {
    public private(set) var commands: [CommandDescription] = []
    public private(set) var events: [EventDescription] = []
    /// Name and summary of each feature.
    public private(set) var summaries: [(name: String, text: String)] = []
    public private(set) var sections: [SectionDescription] = []

    public init(_ types: [any Feature.Type]) {
        for type in types { add(type) }
    }

    private mutating func add<F: Feature>(_ type: F.Type) {
        commands += F.commands.map(\.description)
        events += F.events
        summaries.append(("\(F.self)", F.summary))
        sections += F.sections
    }
}
