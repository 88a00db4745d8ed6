"""Tables of leads: their rows, and what is refused."""

from __future__ import annotations

import pytest

import fairdeal as fd

HAND = "KQ4.J9652.T8.643"


def test_a_table_of_leads_has_a_record_for_each_lead() -> None:
    auction = fd.Condition("hcp(south) >= 15 && hcp(north) >= 8")
    table = auction.leads("3NT", "south", HAND, n=8, seed=1, best="imps", vulnerable="ns")
    assert table["compared"] == 8 and table["criterion"] == "imps"
    leads = [row["lead"] for row in table["leads"]]
    assert sorted(leads) == sorted(
        ["SKQ", "S4", "HJ", "H9", "H65", "H2", "DT", "D8", "C6", "C43"]
    )
    imps = [row["imps"] for row in table["leads"]]
    assert imps == sorted(imps, reverse=True) and abs(sum(imps)) < 1e-9
    deal = fd.Deal(f"W:{HAND} AJT9.AK.AKQ.9875 8765.Q87.J765.AK 32.T43.9432.QJT2")
    again = auction.leads("3N", "south", deal.west, n=8, seed=1, best="imps", vulnerable="ns")
    assert again["leads"] == table["leads"]


def test_a_table_of_leads_needs_the_leaders_hand_and_a_contract() -> None:
    every = fd.Condition()
    with pytest.raises(fd.UsageError, match="only 0 cards of west are predealt.*`hand`"):
        every.leads("4S", "south")
    for arguments in (("8S", "south"), ("4S", "somewhere")):
        with pytest.raises(ValueError):
            every.leads(*arguments, HAND)
    with pytest.raises(ValueError):
        every.leads("4S", "south", "KQ4")
