// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// About the HTTP API; its commands are all the others.
    static let http: [Command] = [
        Command(
            "openapi", "Print the HTTP API as an OpenAPI document",
            help: "The box itself has it at /v1/openapi.json.", isLocal: true)
    ]
}
