// SPDX-License-Identifier: Apache-2.0
import Statistics

extension WallClockRequesterCounters {
    public static let statistics: [Statistic<Self>] = [
        .counter("requests", \.requests, "requests", "Requests for the wall clock that were sent."),
        .counter(
            "candidatesAccepted", \.candidatesAccepted, "exchanges",
            "Exchanges by which the wall clock became known better."),
        .counter(
            "candidatesUninformative", \.candidatesUninformative, "exchanges",
            "Exchanges that took so long that they said nothing new; no fault."),
        .counter(
            "candidatesSuspected", \.candidatesSuspected, "exchanges",
            "Exchanges that contradicted those before and waited for another to confirm them.", .fault),
        .counter(
            "candidatesRefused", \.candidatesRefused, "exchanges",
            "Exchanges with times or qualities of the server that cannot be.", .fault),
        .counter(
            "responsesUnmatched", \.responsesUnmatched, "messages",
            "Responses and follow-ups to no request that still waits.", .fault),
        .counter(
            "responsesRepeated", \.responsesRepeated, "messages",
            "Responses that came again while a follow-up was waited for.", .fault),
        .counter("followUps", \.followUps, "messages", "Follow-ups that were used."),
        .counter(
            "followUpsMissed", \.followUpsMissed, "messages",
            "Follow-ups that were announced and did not come in time.", .fault),
        .counter(
            "timeouts", \.timeouts, "requests", "Requests to which no response came in time.", .fault),
        .counter("serversLost", \.serversLost, "times", "Times that the server fell silent.", .fault),
        .counter("serverSteps", \.serverSteps, "steps", "Steps of the server's clock.", .fault),
        .counter(
            "steps", \.clockSteps, "steps",
            "Steps of the wall clock here after it was acquired first; else it is slewed.", .fault),
        .counter(
            "localStepsBack", \.localStepsBack, "steps",
            "Times that the local clock ran backwards by more than a second.", .fault),
    ]
}
