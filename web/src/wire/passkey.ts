import { HttpRefusal, makePasskey, askedForPasskey, askedToMake, showPasskey } from './http';
import type { Guest } from './protocol';

/** Whether this page can make and show passkeys of the house: under its own name, by https or on this machine. */
export const canPasskey = (house: string) =>
  house === location.hostname && isSecureContext && 'parseCreationOptionsFromJSON' in (self.PublicKeyCredential ?? {});

/** Makes a passkey on this device, under that name. */
export async function make(name: string): Promise<void> {
  const { publicKey } = await askedToMake();
  const made = await spoken(
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) }),
  );
  await makePasskey(name, made);
}

/** Has the reader show a passkey; from now on he is its guest. */
export async function show(): Promise<Guest> {
  const { publicKey } = await askedForPasskey();
  const shown = await spoken(
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) }),
  );
  return showPasskey(shown);
}

/** What the browser and its reader came to, in words that travel. */
async function spoken(asked: Promise<Credential | null>): Promise<object> {
  try {
    return ((await asked) as PublicKeyCredential).toJSON();
  } catch (error) {
    const there = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new HttpRefusal({ code: there ? 'passkey_there' : 'passkey_not' });
  }
}
