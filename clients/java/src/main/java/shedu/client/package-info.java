/**
 * A client of Shedu, board games as a service.
 *
 * <p>{@link shedu.client.SheduClient#connect} gives a server, which creates and finds games. A {@link
 * shedu.client.GameHandle} is a game, a {@link shedu.client.Player} one seat of it. {@link shedu.client.Bot} and {@link
 * shedu.client.BotRunner} let a function play many games at once. Every failure is a {@link
 * shedu.client.SheduException}. Messages are those of the contract, in {@code shedu.v1} and one package for each title,
 * such as {@code shedu.tides.v1}.
 */
package shedu.client;
