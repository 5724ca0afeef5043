"""The client of Shedu: messages in `shedu.v1` and `shedu.<title>.v1`, generated from the contract."""
