// Sends requests to one address from a process that does and loads nothing else: what the rest of the bench imports would make
// it slower, and a slower client makes each request dearer for the server, which then finds fewer of them waiting at once.
import autocannon from 'autocannon';

export interface GeneratedLoad {
  perSecond: number;
  total: number;
  // Processor time of the generator.
  processorMs: number;
}

const [url = '', connections, seconds] = process.argv.slice(2);
const { errors, non2xx, requests } = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
});
if (errors > 0 || non2xx > 0) throw new Error(`${url}: ${errors} errors, ${non2xx} refusals`);
const { user, system } = process.cpuUsage();
const load: GeneratedLoad = {
  perSecond: requests.average,
  total: requests.total,
  processorMs: (user + system) / 1000,
};
process.stdout.write(JSON.stringify(load));
