"""Typical mistakes, with the errors that mypy and pyright give on their lines; nothing runs this."""

import numpy as np

import fairdeal as fd

strong = fd.Condition("hcp(north) >= 15")
hands = strong.deals(10, seed=1)

strong.deals("36")  # error: call-overload reportArgumentType reportCallIssue
strong.deals(36, seed="one")  # error: call-overload reportArgumentType reportCallIssue
strong.deals(36, form="cards")  # error: call-overload reportArgumentType reportCallIssue
strong.deals(36, sampler="magic")  # error: call-overload reportArgumentType reportCallIssue
strong.deals()  # error: call-overload reportCallIssue
strong.deals(36, out=np.zeros((36, 4)))  # error: arg-type reportArgumentType reportCallIssue
strong.leads("3NT", "S")  # error: arg-type reportArgumentType
strong.mask([1, 2, 3])  # error: arg-type reportArgumentType
strong.probability()  # error: operator reportCallIssue
strong + "hcp(south) >= 10"  # error: operator reportOperatorIssue
strong.theory().hcp  # error: attr-defined reportAttributeAccessIssue
strong.mix(["1", "2"])  # error: arg-type reportArgumentType
fd.Condition(15)  # error: arg-type reportArgumentType
fd.Deal(17)  # error: arg-type reportArgumentType
fd.Deal.from_array("N:")  # error: arg-type reportArgumentType
fd.run("1", deals=1e6)  # error: arg-type reportArgumentType
fd.run("1", battery="all")  # error: arg-type reportArgumentType
fd.run("1", 1000, 1, "auto")  # error: call-arg reportCallIssue
fd.audit(hands, events="some")  # error: arg-type reportArgumentType
fd.audit(hands).tests["p"]  # error: call-overload reportCallIssue reportArgumentType
fd.compare(hands, hands)  # error: arg-type reportArgumentType
fd.read("a.pbn").north  # error: attr-defined reportAttributeAccessIssue
fd.read("a.pbn").write(3)  # error: arg-type reportArgumentType
