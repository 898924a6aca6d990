// SPDX-License-Identifier: Apache-2.0
//
// The two Python implementations against the real daemon: what an app or a bridge in a script would use.

import StrictJSON
import TestSupport
import Testing

/// PyPI's `varlink` and `asyncvarlink` as clients of consentd.
@Suite(Peers.areThere)
struct PythonTests {
  private static func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(try Peers.python(), arguments)
  }

  @Test func `the command line of varlink reads the description and calls a method`() throws {
    let family = try Family(born: "2014-03-05")
    let address = "unix:\(family.daemon.setup.apps)"
    let info = try Self.run(["-m", "varlink.cli", "info", address])
    #expect(info.output.contains(Interface.permission), "\(info.errors)")
    let help = try Self.run(["-m", "varlink.cli", "help", "\(address)/\(Interface.permission)"])
    #expect(help.output.contains("method GetStatus"), "\(help.errors)")
    let call = try Self.run([
      "-m", "varlink.cli", "call", "\(address)/\(Interface.ageRange).GetAgeRange",
      (["person": .string(Family.person), "gates": [13, 16, 18]] as JSONObject).json,
    ])
    #expect(call.output.contains(#""sharing": "shared""#), "\(call.errors)\(call.output)")
  }

  @Test func `the command line of varlink shows an error by its name`() throws {
    let family = try Family()
    let call = try Self.run([
      "-m", "varlink.cli", "call", "unix:\(family.daemon.setup.apps)/\(Interface.permission).Await",
      #"{"question":"00000000000000000000000000000000"}"#,
    ])
    #expect((call.output + call.errors).contains("\(Interface.permission).UnknownQuestion"))
  }

  @Test func `asyncvarlink asks, waits, answers on another connection and reads the stream`() throws {
    let family = try Family()
    let setup = family.daemon.setup
    let story = try Self.run(["-c", Self.story, setup.apps, setup.guardians, Family.person])
    #expect(story.exit == .status(0), "\(story.errors)")
    #expect(story.output == "approved\nasked\ndecided\ngranted\nready\n")
  }

  private static let story = """
    import asyncio, sys
    from asyncvarlink import VarlinkClientProtocol, VarlinkMethodCall, connect_unix_varlink

    apps, guardians, person = sys.argv[1:]
    topic = {"kind": "significantUpdate", "change": "2.0", "reasons": ["functionality"], "description": "Voice rooms."}

    async def connect(path):
        return (await connect_unix_varlink(VarlinkClientProtocol, path))[1]

    async def call(peer, method, **parameters):
        reply, _ = await peer.call(VarlinkMethodCall(method, parameters))
        assert reply.error is None, (reply.error, reply.parameters)
        return reply.parameters

    async def main():
        app, listener, companion = await connect(apps), await connect(apps), await connect(guardians)
        asked = await call(app, "org.consentd.Permission.Ask", topic=topic, person=person)
        question = asked["question"]
        decision = asyncio.ensure_future(call(app, "org.consentd.Permission.Await", question=question))
        await call(companion, "org.consentd.Guardian.Answer", question=question, choice="approve")
        print((await decision)["state"])
        stream = VarlinkMethodCall("org.consentd.Permission.Responses", {"person": person}, more=True)
        async for reply, _ in listener.call_more(stream):
            print(reply.parameters["event"])
            if reply.parameters["event"] == "ready":
                break

    asyncio.run(main())
    """
}
