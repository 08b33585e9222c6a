/**
 * What the figures are held against: programs that do the same work with bare Node.js and nothing else.
 * `node bench/rulers.mjs bash N` · `output N` · `read N URL` · `edit N` · `grep N RG FOLDER` (in the working directory) · `stream URL MODEL`
 */
import { spawn } from 'node:child_process';
import { open, readFile, rename } from 'node:fs/promises';
import { request } from 'node:http';

/** One chat: sends the messages, reads the answer line by line, gives the text and the calls. */
function chat(url, model, messages) {
  return new Promise((resolve, reject) => {
    const call = request(
      `${url}/api/chat`,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      async (response) => {
        let text = '';
        let rest = '';
        let calls = [];
        response.setEncoding('utf8');
        for await (const chunk of response) {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop();
          for (const line of lines) {
            const { message } = JSON.parse(line);
            text += message.content;
            if (message.tool_calls) calls = message.tool_calls;
          }
        }
        resolve({ text, calls });
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify({ model, messages, stream: true }));
  });
}

const rulers = {
  /** One shell after another. */
  async bash(count) {
    for (let index = 0; index < Number(count); index += 1) {
      await new Promise((resolve, reject) => {
        spawn('bash', ['-c', `true ${index}`], { stdio: ['ignore', 'pipe', 'pipe'] })
          .on('close', resolve)
          .on('error', reject);
      });
    }
  },
  /** Commands that write much, one after another, what they write counted and thrown away. */
  async output(count) {
    for (let index = 0; index < Number(count); index += 1) {
      await new Promise((resolve, reject) => {
        let bytes = 0;
        const child = spawn('bash', ['-c', `yes 'line ${index} of output' | head -c 10000000`], {
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        child.stdout.on('data', (chunk) => (bytes += chunk.length));
        child.on('close', () => (bytes === 10_000_000 ? resolve() : reject(new Error(`${bytes} bytes`))));
        child.on('error', reject);
      });
    }
  },
  /** An agent without anything: ask, read the file, send its text back. */
  async read(count, url) {
    const messages = [{ role: 'user', content: 'go' }];
    for (;;) {
      const { text, calls } = await chat(url, `read-${count}`, messages);
      messages.push({ role: 'assistant', content: text, tool_calls: calls });
      if (calls.length === 0) return;
      for (const { function: called } of calls)
        messages.push({ role: 'tool', content: await readFile(called.arguments.path, 'utf8') });
    }
  },
  /** The same change of a large file, made with nothing but a string. */
  async edit(count) {
    for (let index = 0; index < Number(count); index += 1) {
      const text = await readFile('large.txt', 'utf8');
      const handle = await open('large.txt.tmp', 'w');
      await handle.writeFile(text.replace(`the value is ${index};`, `the value is ${index + 1};`));
      await handle.sync();
      await handle.close();
      await rename('large.txt.tmp', 'large.txt');
    }
  },
  /** One search after another, its output read and thrown away. */
  async grep(count, rg, folder) {
    for (let index = 0; index < Number(count); index += 1) {
      await new Promise((resolve, reject) => {
        const args = ['--no-config', '--hidden', '--line-number', '-e', `needle ${index % 10}`, '--', folder];
        const child = spawn(rg, args, { stdio: ['ignore', 'pipe', 'pipe'] });
        child.on('close', resolve).on('error', reject);
        child.stdout.resume();
      });
    }
  },
  async stream(url, model) {
    process.stdout.write((await chat(url, model, [{ role: 'user', content: 'go' }])).text);
  },
};

const [name, ...args] = process.argv.slice(2);
await rulers[name](...args);
