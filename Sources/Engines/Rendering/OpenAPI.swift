// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Shapes

/// The HTTP API as an OpenAPI 3.1 document, made from the catalogue.
public enum OpenAPI {
    public static func document(of catalogue: Catalogue) -> JSONValue {
        var paths: [String: JSONValue] = [
            "/v1/openapi.json": [
                "get": plain(
                    "openapi", "This document", "application/json", schema: ["type": "object"], isOpen: true)
            ],
            "/v1/session": session,
            "/v1/picture": ["get": picture], "/v1/incidents/{id}": ["get": incident],
            "/v1/capture/file.pcap": ["get": capture],
            "/metrics": [
                "get": plain(
                    "metrics", "Every statistic as OpenMetrics text", "application/openmetrics-text",
                    schema: ["type": "string"])
            ],
        ]
        for command in catalogue.commands where !command.isLocal && command.admission != .atBox {
            paths["/v1/\(command.name)"] = path(of: command)
        }
        for command in catalogue.commands {
            guard let route = command.route else { continue }
            paths["/v1/\(route.path)"]?[route.method.rawValue] = routed(command, route)
        }
        return [
            "openapi": "3.1.0", "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
            "info": [
                "title": "Touchline", "version": "1", "summary": "A set-top box, controlled.",
                "description": """
                Every command of the box. What only looks is a GET with its arguments as the query; everything is a \
                POST with its arguments as the body. GET /v1/events and GET /v1/data are WebSockets too.
                """,
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ], "servers": [["url": "/"]], "paths": .object(paths),
            "security": credentials,
            "components": [
                "schemas": [
                    "Status": status, "Event": event, "Settings": ValueKind.record(catalogue.settings).schema,
                ], "responses": .object(failures), "securitySchemes": securitySchemes,
            ],
        ]
    }

    // MARK: Paths

    private static func path(of command: CommandDescription) -> JSONValue {
        let parameters = command.httpFields
        var post = operation(command, "post", parameters)
        if !parameters.isEmpty {
            post["requestBody"] = [
                "content": ["application/json": ["schema": body(parameters)]],
                "required": .bool(parameters.contains(where: \.isRequired)),
            ]
        }
        guard command.changesNothing else { return ["post": post] }
        var get = operation(command, "get", parameters)
        get["parameters"] = .array(parameters.map(query))
        if command.answer.form == .image {
            get["responses"]?["200"]?["content"]?["image/png"] = ["schema": [:]]
        }
        return ["get": get, "post": post]
    }

    /// The operation whose body is one argument of the command: the settings, or a patch of them. The others are the
    /// query.
    private static func routed(_ command: CommandDescription, _ route: HTTPRoute) -> JSONValue {
        var operation = operation(command, route.method.rawValue, [])
        var schema = settings
        if route.method == .patch { schema["description"] = "A JSON Merge Patch (RFC 7396) of Settings." }
        operation["requestBody"] = ["content": ["application/json": ["schema": schema]], "required": true]
        operation["parameters"] = .array(command.httpFields.filter { $0.name != route.body }.map(query))
        return operation
    }

    private static func operation(_ command: CommandDescription, _ method: String, _ parameters: [FieldDescription])
        -> JSONValue
    {
        var responses: [String: JSONValue] = [
            "200": [
                "description": "Done.",
                "content": ["application/json": ["schema": schema(of: command.answer)]],
            ]
        ]
        let codes = method == "get" ? ["400", "401", "403", "409", "429", "503"] : failures.keys.sorted()
        for code in codes { responses[code] = ["$ref": .string("#/components/responses/\(code)")] }
        var operation: JSONValue = [
            "operationId": .string("\(method)-\(command.name)"), "summary": .string(command.summary),
            "description": .string(description(of: command)), "tags": [.string(command.role.rawValue)],
            "responses": .object(responses),
        ]
        if command.admission == .everybody { operation["security"] = [] }
        return operation
    }

    private static func description(of command: CommandDescription) -> String {
        let role =
            command.admission == .everybody
            ? "Needs no role: what it brings is its right." : "Needs the role \(command.role.rawValue)."
        return command.help.isEmpty ? role : command.help.split(separator: "\n").joined(separator: " ") + " " + role
    }

    /// The GET operation of a path that is not a command.
    private static func plain(_ id: String, _ summary: String, _ type: String, schema: JSONValue, isOpen: Bool = false)
        -> JSONValue
    {
        var operation: JSONValue = [
            "operationId": .string("get-\(id)"), "summary": .string(summary), "tags": ["viewer"],
            "responses": [
                "200": ["description": "Done.", "content": [type: ["schema": schema]]],
                "400": ["$ref": "#/components/responses/400"], "401": ["$ref": "#/components/responses/401"],
                "403": ["$ref": "#/components/responses/403"], "429": ["$ref": "#/components/responses/429"],
                "503": ["$ref": "#/components/responses/503"],
            ],
        ]
        if isOpen { operation["security"] = [] }
        return operation
    }

    private static var picture: JSONValue {
        var operation = plain(
            "picture", "What is on the screen, moving", "multipart/x-mixed-replace", schema: ["type": "string"])
        operation["description"] = "JPEG pictures until the client leaves. One that reads slowly misses some."
        operation["parameters"] = .array(PictureQuery.fields.map(query))
        return operation
    }

    private static var incident: JSONValue {
        var operation = file(
            "incident", "The file of an incident", "application/octet-stream", missing: "There is no such incident.",
            """
            config/INCIDENTS.md says what is in it. A file never changes, so that Range asks for the rest of one that was \
            fetched in part.
            """)
        let id: JSONValue = [
            "name": "id", "in": "path", "required": true, "description": "As incidents lists it.",
            "schema": ValueKind.text(1...64).schema,
        ]
        operation["parameters"] = .array([id] + (operation["parameters"]?.array ?? []))
        return operation
    }

    private static var capture: JSONValue {
        var operation = file(
            "capture-file", "The packets of the last capture", "application/vnd.tcpdump.pcap",
            missing: "Nothing was captured.",
            "A file of pcap. The next capture makes another one, whose ETag differs. Not while a capture runs: 409.")
        operation["responses"]?["409"] = ["$ref": "#/components/responses/409"]
        return operation
    }

    /// A file that is given in parts, too.
    private static func file(
        _ id: String, _ summary: String, _ type: String, missing: String, _ description: String
    ) -> JSONValue {
        var operation = plain(id, summary, type, schema: [:])
        operation["tags"] = ["administrator"]
        operation["description"] = .string(description + " Needs the role administrator.")
        operation["parameters"] = [
            [
                "name": "Range", "in": "header", "description": "RFC 9110, 14.2: bytes=OFFSET-",
                "schema": ["type": "string", "pattern": "^bytes=[0-9]{1,9}-$"],
            ]
        ]
        operation["responses"]?["206"] = ["description": "A part of it.", "content": [type: ["schema": [:]]]]
        operation["responses"]?["404"] = failure(missing)
        operation["responses"]?["416"] = ["description": "The file ends before that."]
        return operation
    }

    private static let failures: [String: JSONValue] = [
        "400": failure("The request was not understood."),
        "401": failure("The token is wrong, or there is none and one is needed."),
        "403": failure("Host, Origin or role."),
        "409": failure("Understood, and could not be done."), "411": failure("The body's length is missing."),
        "413": failure("The body is too large."), "415": failure("The body is no JSON by its type."),
        "422": failure("Settings are refused."),
        "429": failure("Too many wrong tokens: wait as Retry-After says."), "503": failure("Busy: try again."),
    ]

    private static func failure(_ description: String) -> JSONValue {
        [
            "description": .string(description),
            "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Status"]]],
        ]
    }
}
