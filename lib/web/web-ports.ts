/**
 * Ports above 1023 at which well-known services that are not web pages listen. Browsers refuse many of them ("bad ports"
 * of the WHATWG Fetch standard); the data stores are added because a GET whose path a stranger chooses is a command to
 * some of them.
 */
const SERVICE_PORTS = new Set([
  1433, 1434, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061,
  5432, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  7000, 7001, 8086, 8500, 9042, 9092, 9160, 9200, 9300, 10080, 10250, 10255, 11211, 15672, 27017, 27018,
  27019, 28015, 50000, 61616,
]);

/**
 * Whether pages may be fetched from `port` by default: 80, 443 and every port from 1024 up that is not the home of
 * another well-known service. A list of four ports would shut out public pages and gain little, since only public
 * addresses are dialled at all.
 */
export function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !SERVICE_PORTS.has(port));
}
